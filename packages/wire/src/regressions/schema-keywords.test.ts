import { makeConversation, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { FORMATS } from "../testing/formats.ts";
import { makeRequestOf } from "../testing/make-context.ts";

// 'Unknown name "$schema"', '"additionalProperties"', '"exclusiveMinimum"', '"propertyNames"', '"const"': what coding agents really send.
const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    limit: { type: "integer", exclusiveMinimum: 0, multipleOf: 2, default: 10 },
    tags: { type: "array", items: { type: "string", format: "uri" }, uniqueItems: true, maxItems: 9 },
    mode: { anyOf: [{ const: "fast" }, { type: "null" }] },
    labels: {
      type: "object",
      propertyNames: { pattern: "^[a-z]+$" },
      patternProperties: { "^x-": { type: "string" } },
    },
  },
  required: ["limit"],
  additionalProperties: false,
};

describe.each(FORMATS)("$codec.id", ({ codec, destination, line }) => {
  it("takes any JSON Schema of a tool as it is", () => {
    const tools = [{ name: "search", kind: "function" as const, inputSchema: SCHEMA }];
    const { body } = codec.encodeRequest(makeRequestOf(makeConversation([makeUser()], { tools })), destination);
    expect(codec.decodeRequest(JSON.parse(JSON.stringify(body)), line).conversation.tools).toMatchObject([
      { inputSchema: SCHEMA },
    ]);
  });
});
