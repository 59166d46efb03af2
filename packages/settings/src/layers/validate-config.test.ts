import { LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { faultSentence, formatFault, invalidSettings, schemaFaults, validateConfig } from "./validate-config.ts";

const faultsOf = (value: unknown, check?: () => void) => validateConfig(value, check).faults.map(formatFault);

describe("validateConfig", () => {
  it("returns a valid configuration", () => {
    expect(validateConfig({ server: { port: 1 } })).toMatchObject({ config: { server: { port: 1 } }, faults: [] });
  });

  it("names every key that the schema rejects", () => {
    expect(faultsOf({ server: { port: -1, prot: 1, host: "" }, odd: 1, "a.b": 2 })).toEqual([
      "server.host: must not be empty",
      "server.port: must be an integer from 0 to 65535, not -1",
      "server.prot: unknown setting",
      "odd: unknown setting",
      '"a.b": unknown setting',
    ]);
    expect(faultsOf([])).toEqual(["the file must be an object"]);
  });

  it("names every missing setting of every upstream", () => {
    const upstreams = {
      local: { kind: "openai-compatible" },
      aws: { kind: "bedrock", region: "r" },
      g: { kind: "vertex" },
    };
    expect(faultsOf({ upstreams })).toEqual([
      "upstreams.local.baseUrl: required for upstreams of kind openai-compatible",
      "upstreams.aws.accessKeyId: required for upstreams of kind bedrock",
      "upstreams.aws.secretAccessKey: required for upstreams of kind bedrock",
      "upstreams.g.credentialsFile: required for upstreams of kind vertex",
      "upstreams.g.project: required for upstreams of kind vertex",
      "upstreams.g.region: required for upstreams of kind vertex",
    ]);
  });

  it("requires no setting that an address does not need", () => {
    const vertex = { kind: "vertex", credentialsFile: "f" };
    expect(faultsOf({ upstreams: { g: { ...vertex, baseUrl: "http://127.0.0.1/v1/x" } } })).toEqual([]);
    expect(faultsOf({ upstreams: { g: { ...vertex, baseUrl: "http://127.0.0.1/v1/{region}" } } })).toHaveLength(1);
  });

  it("requires nothing of other upstreams", () => {
    const kinds = ["anthropic", "openai", "gemini", "openrouter", "simulator"];
    expect(faultsOf({ upstreams: Object.fromEntries(kinds.map((kind) => [kind, { kind }])) })).toEqual([]);
  });

  it("runs the additional check last, and rethrows bugs", () => {
    const refuse = () => {
      throw new LonghaulError("catalog.invalid", "models.x: no");
    };
    expect(faultsOf({}, refuse)).toEqual(["models.x: no"]);
    const fail = () => {
      throw new TypeError("a bug");
    };
    expect(() => faultsOf({}, fail)).toThrow("a bug");
  });
});

it("invalidSettings counts and lists faults", () => {
  expect(invalidSettings("the file", ["a: b"]).message).toBe("the file has 1 error:\n  - a: b");
  expect(invalidSettings("the file", ["a", "b"]).message).toMatch(/^the file has 2 errors:\n/);
});

describe("schemaFaults", () => {
  it("returns every fault with its path", () => {
    const { error } = z
      .object({ "a b": z.object({ c: z.number("must be a number") }), d: z.string("must be a text") })
      .safeParse({ "a b": {} });
    const faults = schemaFaults({ issues: error?.issues ?? [] });
    expect(faults.map(faultSentence)).toEqual(['"a b".c: must be a number', "d: must be a text"]);
  });

  it("returns a fault of the whole value without a path", () => {
    expect(faultSentence({ path: "", message: "must be an object" })).toBe("must be an object");
  });
});
