import type { JsonObject, Request } from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../anthropic-messages/index.ts";
import { gemini } from "../gemini/index.ts";
import { FORMATS } from "../testing/formats.ts";
import { makeRequestOf } from "../testing/make-context.ts";

// 'Unknown name "$schema"', '"additionalProperties"', '"exclusiveMinimum"', '"propertyNames"', '"const"': keywords that coding agents send.
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
  it("sends any JSON Schema of a tool unchanged", () => {
    const tools = [{ name: "search", kind: "function" as const, inputSchema: SCHEMA }];
    const { body } = codec.encodeRequest(makeRequestOf(makeConversation([makeUser()], { tools })), destination);
    expect(codec.decodeRequest(JSON.parse(JSON.stringify(body)), line).conversation.tools).toMatchObject([
      { inputSchema: SCHEMA },
    ]);
  });
});

// `Unknown name "$schema"`, and the same for each keyword below, where a schema is sent in the older field `parameters`.

const GEMINI_SCHEMA: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  additionalProperties: false,
  patternProperties: { "^x-": { type: "string" } },
  properties: {
    path: { type: "string", minLength: 1, default: "." },
    count: { type: "integer", exclusiveMinimum: 0, multipleOf: 2 },
    kind: { const: "file" },
    tags: { type: "array", items: { type: "string" }, uniqueItems: true },
    labels: { type: "object", propertyNames: { pattern: "^[a-z]+$" } },
  },
  required: ["path"],
};

const TARGET = { model: "gemini-3.5-flash", maxOutputTokens: 65_536 };

describe("keywords that Gemini's own schemas lack", () => {
  it("are sent unchanged in the field for standard JSON Schema", () => {
    const tool = { name: "read_file", description: "Reads.", input_schema: GEMINI_SCHEMA };
    const request = anthropicMessages.decodeRequest({
      model: "claude-sonnet-5",
      max_tokens: 9,
      tools: [tool],
      messages: [{ role: "user", content: "Go." }],
    });
    const { body, warnings } = gemini.encodeRequest(request, TARGET);
    expect(body.tools).toEqual([
      { functionDeclarations: [{ name: "read_file", description: "Reads.", parametersJsonSchema: GEMINI_SCHEMA }] },
    ]);
    expect(warnings).toEqual([]);
  });

  it("are never removed from a tool's arguments or result", () => {
    const input = { $schema: "x", default: null, additionalProperties: { const: 1 }, propertyNames: ["type"] };
    const request: Request = {
      model: "m",
      stream: false,
      sampling: {},
      conversation: makeConversation([
        makeUser("Go."),
        makeAssistant(makeToolCall("a", { name: "write_schema", input })),
        makeUser(makeToolResult("a", JSON.stringify(input))),
      ]),
    };
    const { body } = gemini.encodeRequest(request, TARGET);
    expect(body.contents).toMatchObject([
      {},
      { parts: [{ functionCall: { name: "write_schema", args: input } }] },
      { parts: [{ functionResponse: { name: "write_schema", response: { output: JSON.stringify(input) } } }] },
    ]);
  });

  it("are sent in the output schema field for standard JSON Schema", () => {
    const request: Request = {
      model: "m",
      stream: false,
      sampling: {},
      outputFormat: { kind: "json-schema", schema: GEMINI_SCHEMA },
      conversation: makeConversation(),
    };
    expect(gemini.encodeRequest(request, TARGET).body.generationConfig).toEqual({
      responseMimeType: "application/json",
      responseJsonSchema: GEMINI_SCHEMA,
    });
  });
});
