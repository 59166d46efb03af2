import { describe, expect, it } from "vitest";
import { configSchema } from "./config.ts";
import { spellFault } from "./judge-config.ts";
import { missingSettings } from "./missing-settings.ts";

const missing = (upstreams: object) => missingSettings(configSchema.parse({ upstreams })).map(spellFault);

describe("missingSettings", () => {
  it("names everything that every upstream lacks", () => {
    expect(
      missing({ local: { kind: "openai-compatible" }, aws: { kind: "bedrock", region: "r" }, g: { kind: "vertex" } }),
    ).toEqual([
      "upstreams.local.baseUrl: an upstream of kind openai-compatible needs it",
      "upstreams.aws.accessKeyId: an upstream of kind bedrock needs it",
      "upstreams.aws.secretAccessKey: an upstream of kind bedrock needs it",
      "upstreams.g.credentialsFile: an upstream of kind vertex needs it",
      "upstreams.g.project: an upstream of kind vertex needs it",
      "upstreams.g.region: an upstream of kind vertex needs it",
    ]);
  });

  it("asks for no part of an address that does not have it", () => {
    const vertex = { kind: "vertex", credentialsFile: "f" };
    expect(missing({ g: { ...vertex, baseUrl: "http://127.0.0.1/v1/x" } })).toEqual([]);
    expect(missing({ g: { ...vertex, baseUrl: "http://127.0.0.1/v1/{region}" } })).toHaveLength(1);
  });

  it("asks nothing of the others", () => {
    const kinds = ["anthropic", "openai", "gemini", "openrouter", "simulator"];
    expect(missing(Object.fromEntries(kinds.map((kind) => [kind, { kind }])))).toEqual([]);
  });
});
