import { describe, expect, it } from "vitest";
import { deploymentsOf } from "./deployments.ts";
import type { Outgoing } from "./upstream.ts";
import { bedrockBody, encodeSegment, vertexBody } from "./vendor-apis.ts";

const base: Outgoing = {
  wire: "openai-chat",
  action: "generate",
  method: "POST",
  model: "a/b c",
  stream: false,
  headers: {},
};

const [vertexClaude, vertexGemini = vertexClaude] = deploymentsOf("vertex");
const PLACES = {
  anthropic: deploymentsOf("anthropic")[0],
  openai: deploymentsOf("openai")[0],
  "openai-compatible": deploymentsOf("openai-compatible")[0],
  openrouter: deploymentsOf("openrouter")[0],
  gemini: deploymentsOf("gemini")[0],
  bedrock: deploymentsOf("bedrock")[0],
  "vertex-claude": vertexClaude,
  "vertex-gemini": vertexGemini,
};

describe("the path of an action", () => {
  it.each<[keyof typeof PLACES, Partial<Outgoing>, string | undefined]>([
    ["anthropic", {}, "/v1/messages"],
    ["anthropic", { action: "count-tokens" }, "/v1/messages/count_tokens"],
    ["anthropic", { action: "list-models" }, "/v1/models"],
    ["anthropic", { action: "pass", path: "/messages/batches?limit=2" }, "/v1/messages/batches?limit=2"],
    ["anthropic", { action: "pass" }, undefined],
    ["openai", { wire: "openai-responses" }, "/responses"],
    ["openai", {}, "/chat/completions"],
    ["openai", { action: "count-tokens" }, "/responses/input_tokens"],
    ["openai-compatible", { action: "list-models" }, "/models"],
    ["openrouter", { action: "pass", path: "/embeddings" }, "/embeddings"],
    ["gemini", {}, "/v1beta/models/a%2Fb%20c:generateContent"],
    ["gemini", { stream: true }, "/v1beta/models/a%2Fb%20c:streamGenerateContent?alt=sse"],
    ["gemini", { action: "count-tokens" }, "/v1beta/models/a%2Fb%20c:countTokens"],
    ["gemini", { action: "list-models" }, "/v1beta/models"],
    ["gemini", { action: "pass", path: "/files" }, "/v1beta/files"],
    ["bedrock", {}, "/model/a%2Fb%20c/invoke"],
    ["bedrock", { stream: true }, "/model/a%2Fb%20c/invoke-with-response-stream"],
    ["bedrock", { action: "count-tokens" }, undefined],
    ["vertex-claude", {}, "/publishers/anthropic/models/a%2Fb%20c:rawPredict"],
    ["vertex-claude", { stream: true }, "/publishers/anthropic/models/a%2Fb%20c:streamRawPredict"],
    ["vertex-claude", { action: "count-tokens" }, "/publishers/anthropic/models/count-tokens:rawPredict"],
    ["vertex-claude", { action: "pass", path: "/files" }, undefined],
    ["vertex-gemini", { stream: true }, "/publishers/google/models/a%2Fb%20c:streamGenerateContent?alt=sse"],
    ["vertex-gemini", { action: "count-tokens" }, "/publishers/google/models/a%2Fb%20c:countTokens"],
    ["vertex-gemini", { action: "list-models" }, undefined],
  ])("%s %o is %s", (kind, outgoing, path) => {
    expect(PLACES[kind].path({ ...base, ...outgoing })).toBe(path);
  });
});

describe("encodeSegment", () => {
  it.each(["", ".", "..", "a\ud800"])("refuses %j, which no path segment can contain", (name) => {
    expect(() => encodeSegment(name)).toThrow("cannot be part of a path");
  });

  it.each(["..", "."])("keeps the model %j inside its path segment", (model) => {
    const wire = "anthropic-messages";
    expect(() => PLACES.bedrock.path({ ...base, wire, model })).toThrow("cannot be part of a path");
  });

  it.each(["a/../b", "..%2f..", "%2e%2e", "a?b#c", "..;", "a\\b", "a\nb"])("encodes %j as one segment", (name) => {
    const { pathname, search, hash } = new URL(`http://a/x/${encodeSegment(name)}/y`);
    expect([pathname.split("/").map(decodeURIComponent), search, hash]).toEqual([["", "x", name, "y"], "", ""]);
  });
});

describe("the shape of a body", () => {
  const outgoing: Outgoing = {
    wire: "anthropic-messages",
    action: "generate",
    method: "POST",
    model: "m",
    stream: true,
    headers: {},
  };
  const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const decode = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes));
  const body = encode({ model: "m", stream: true, max_tokens: 5, messages: [] });

  describe("bedrockBody", () => {
    it("drops model and stream, adds the version and the betas", () => {
      const headers = { "anthropic-beta": "one-2025, two-2026" };
      expect(decode(bedrockBody(body, { ...outgoing, headers }))).toEqual({
        anthropic_version: "bedrock-2023-05-31",
        anthropic_beta: ["one-2025", "two-2026"],
        max_tokens: 5,
        messages: [],
      });
      expect(decode(bedrockBody(body, outgoing))).not.toHaveProperty("anthropic_beta");
    });
  });

  describe("vertexBody", () => {
    it("drops the model and adds the version", () => {
      expect(decode(vertexBody(body, outgoing))).toEqual({
        anthropic_version: "vertex-2023-10-16",
        stream: true,
        max_tokens: 5,
        messages: [],
      });
    });

    it("keeps the model for token counts", () => {
      expect(decode(vertexBody(body, { ...outgoing, action: "count-tokens" }))).toMatchObject({ model: "m" });
    });

    it("refuses a body that is not an object", () => {
      expect(() => vertexBody(encode([1]), outgoing)).toThrow(/not a JSON object/);
    });
  });
});
