import { describe, expect, it } from "vitest";
import {
  BUILT_IN_KIND,
  COMPATIBLE_KIND,
  kindAt,
  kindNamed,
  neededSettings,
  telemetryName,
  UPSTREAM_KIND_NAMES,
  UPSTREAM_KINDS,
} from "./index.ts";

describe("every kind of upstream", () => {
  it.each(UPSTREAM_KIND_NAMES)("%s is set up by the environment with variables that exist", (name) => {
    const { environment, needs } = UPSTREAM_KINDS[name];
    if (environment === undefined) return;
    expect(Object.keys(environment.variables)).toEqual(expect.arrayContaining([...environment.needs]));
    expect(environment.needs).toEqual(expect.arrayContaining([...needs]));
    expect(environment.models).not.toEqual([]);
  });

  it("has names of its own in other tools' configurations", () => {
    const names = UPSTREAM_KIND_NAMES.flatMap((name) => UPSTREAM_KINDS[name].importedNames);
    expect(new Set(names).size).toBe(names.length);
  });

  it("has one name in telemetry for each platform", () => {
    const deployments = UPSTREAM_KIND_NAMES.flatMap((name) => UPSTREAM_KINDS[name].deployments);
    for (const { platform, telemetryName: own } of deployments) expect(telemetryName(platform)).toBe(own);
  });

  it("takes keys where it is built in or compatible", () => {
    expect([BUILT_IN_KIND, COMPATIBLE_KIND].map((name) => UPSTREAM_KINDS[name].auth)).toEqual(["key", "key"]);
    expect(UPSTREAM_KIND_NAMES.filter((name) => UPSTREAM_KINDS[name].builtIn !== undefined)).toEqual([BUILT_IN_KIND]);
  });
});

describe("neededSettings", () => {
  it.each([
    ["anthropic", undefined, []],
    ["openai-compatible", undefined, ["baseUrl"]],
    ["bedrock", undefined, ["accessKeyId", "secretAccessKey", "region"]],
    ["bedrock", "http://localhost", ["accessKeyId", "secretAccessKey", "region"]],
    ["vertex", undefined, ["credentialsFile", "project", "region"]],
    ["vertex", "https://eu.example.com/{project}", ["credentialsFile", "project"]],
    ["vertex", "https://eu.example.com", ["credentialsFile"]],
    ["openai", "https://eu.example.com/{region}", []],
  ] as const)("of %s at %s are %j", (kind, baseUrl, needed) => {
    expect(neededSettings(kind, baseUrl)).toEqual(needed);
  });
});

describe("kindNamed", () => {
  it.each([
    ["anthropic", "anthropic"],
    ["google", "gemini"],
    ["vertex_ai", "vertex"],
    ["vertex-ai", "vertex"],
    ["simulator", undefined],
    ["constructor", undefined],
  ])("takes %s for %s", (name, kind) => {
    expect(kindNamed(name)).toBe(kind);
  });
});

describe("kindAt", () => {
  it.each([
    ["api.anthropic.com", "anthropic"],
    ["eu.api.openai.com", "openai"],
    ["openrouter.ai", "openrouter"],
    ["generativelanguage.googleapis.com", "gemini"],
    ["notopenrouter.ai", undefined],
    ["api.openai.com.example.com", undefined],
    ["127.0.0.1", undefined],
    ["", undefined],
  ])("takes %s for %s", (hostname, kind) => {
    expect(kindAt(hostname)).toBe(kind);
  });
});

describe("telemetryName", () => {
  it.each([
    ["anthropic", "anthropic"],
    ["google", "gcp.gemini"],
    ["vertex", "gcp.vertex_ai"],
    ["bedrock", "aws.bedrock"],
    ["other", "_OTHER"],
    ["elsewhere", "_OTHER"],
    ["", ""],
  ])("of %s is %s", (platform, name) => {
    expect(telemetryName(platform)).toBe(name);
  });
});
