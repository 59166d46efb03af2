import { LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { faultSentence, invalidSettings, judgeConfig, schemaFaults, spellFault } from "./judge-config.ts";

const faultsOf = (value: unknown, check?: () => void) => judgeConfig(value, check).faults.map(spellFault);

describe("judgeConfig", () => {
  it("gives the configuration where nothing is wrong", () => {
    expect(judgeConfig({ server: { port: 1 } })).toMatchObject({ config: { server: { port: 1 } }, faults: [] });
  });

  it("names what the schema refuses, key by key", () => {
    expect(faultsOf({ server: { port: -1, prot: 1, host: "" }, odd: 1, "a.b": 2 })).toEqual([
      "server.host: Too small: expected string to have >=1 characters",
      "server.port: give a whole number from 0 to 65535",
      "server.prot: there is no such setting",
      "odd: there is no such setting",
      '"a.b": there is no such setting',
    ]);
    expect(faultsOf([])).toEqual(["the file: Invalid input: expected object, received array"]);
  });

  it("names everything that every upstream lacks", () => {
    const upstreams = {
      local: { kind: "openai-compatible" },
      aws: { kind: "bedrock", region: "r" },
      g: { kind: "vertex" },
    };
    expect(faultsOf({ upstreams })).toEqual([
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
    expect(faultsOf({ upstreams: { g: { ...vertex, baseUrl: "http://127.0.0.1/v1/x" } } })).toEqual([]);
    expect(faultsOf({ upstreams: { g: { ...vertex, baseUrl: "http://127.0.0.1/v1/{region}" } } })).toHaveLength(1);
  });

  it("asks nothing of other upstreams", () => {
    const kinds = ["anthropic", "openai", "gemini", "openrouter", "simulator"];
    expect(faultsOf({ upstreams: Object.fromEntries(kinds.map((kind) => [kind, { kind }])) })).toEqual([]);
  });

  it("asks a check from outside last, and lets bugs through", () => {
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

it("invalidSettings counts and lists", () => {
  expect(invalidSettings("the file", ["a: b"]).message).toBe("the file has 1 fault:\n  - a: b");
  expect(invalidSettings("the file", ["a", "b"]).message).toMatch(/^the file has 2 faults:\n/);
});

describe("schemaFaults", () => {
  it("tells every fault with its place", () => {
    const { error } = z
      .object({ "a b": z.object({ c: z.number("must be a number") }), d: z.string("must be a text") })
      .safeParse({ "a b": {} });
    const faults = schemaFaults({ issues: error?.issues ?? [] });
    expect(faults.map(faultSentence)).toEqual(['"a b".c: must be a number', "d: must be a text"]);
  });

  it("tells what is wrong with the whole without a place", () => {
    expect(faultSentence({ path: "", message: "must be an object" })).toBe("must be an object");
  });
});
