import { describe, expect, it } from "vitest";
import {
  BUILT_IN_KIND,
  COMPATIBLE_KIND,
  credentialKind,
  kindAt,
  kindNamed,
  neededSettings,
  telemetryName,
  UPSTREAM_KIND_NAMES,
  UPSTREAM_KINDS,
} from "./index.ts";

describe("every kind of upstream", () => {
  it.each(UPSTREAM_KIND_NAMES)("%s is configured by existing environment variables", (name) => {
    const { environment, needs } = UPSTREAM_KINDS[name];
    if (environment === undefined) return;
    expect(Object.keys(environment.variables)).toEqual(expect.arrayContaining([...environment.needs]));
    expect(environment.needs).toEqual(expect.arrayContaining([...needs]));
    expect(environment.models).not.toEqual([]);
  });

  it("has unique names in other tools' configurations", () => {
    const names = UPSTREAM_KIND_NAMES.flatMap((name) => UPSTREAM_KINDS[name].importedNames);
    expect(new Set(names).size).toBe(names.length);
  });

  it("has one telemetry name per platform", () => {
    const deployments = UPSTREAM_KIND_NAMES.flatMap((name) => UPSTREAM_KINDS[name].deployments);
    for (const { platform, telemetryName: own } of deployments) expect(telemetryName(platform)).toBe(own);
  });

  it("takes keys if it is built in or compatible", () => {
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
  ] as const)("are for %s at %s %j", (kind, baseUrl, needed) => {
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
  ])("returns %s for %s", (name, kind) => {
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
  ])("returns %s for %s", (hostname, kind) => {
    expect(kindAt(hostname)).toBe(kind);
  });
});

describe("credentialKind", () => {
  it.each([
    [{ authorization: "Bearer sk-ant-oat01-abcdefgh" }, "anthropic"],
    [{ "x-api-key": "sk-ant-api03-abcdefgh" }, "anthropic"],
    [{ authorization: "Bearer sk-proj-abcdefgh" }, "openai"],
    [{ authorization: "Bearer sk-svcacct-abcdefgh" }, "openai"],
    [{ "x-goog-api-key": "AIzaSyabcdefgh" }, "gemini"],
    [{ "x-goog-api-key": "AQ.Ab8abcdefgh" }, "gemini"],
    [{ "x-goog-api-key": "sk-ant-api03-abcdefgh" }, undefined],
    [{ authorization: "Bearer sk-abcdefghijkl" }, undefined],
    [{ "x-api-key": "sk-ant-api03-abcdefgh", authorization: "Bearer sk-proj-abcdefgh" }, undefined],
    [{}, undefined],
  ])("returns for %j %s", (headers, kind) => {
    expect(credentialKind(headers)).toBe(kind);
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
  ])("returns for %s %s", (platform, name) => {
    expect(telemetryName(platform)).toBe(name);
  });
});
