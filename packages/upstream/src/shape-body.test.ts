import { describe, expect, it } from "vitest";
import { bedrockBody, vertexBody } from "./shape-body.ts";
import type { Outgoing } from "./upstream.ts";

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

  it("keeps the model where tokens are counted", () => {
    expect(decode(vertexBody(body, { ...outgoing, action: "count-tokens" }))).toMatchObject({ model: "m" });
  });

  it("refuses a body that is no object", () => {
    expect(() => vertexBody(encode([1]), outgoing)).toThrow(/not a JSON object/);
  });
});
