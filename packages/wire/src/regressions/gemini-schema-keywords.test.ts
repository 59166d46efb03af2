import type { JsonObject, Request } from "@longhaul/conversation";
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

// `Unknown name "$schema"`, and the same for each keyword below, where a schema is sent in the older field `parameters`.

const SCHEMA: JsonObject = {
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

describe("keywords that Gemini's own schemas don't know", () => {
  it("go upstream unchanged, in the field that takes standard JSON Schema", () => {
    const tool = { name: "read_file", description: "Reads.", input_schema: SCHEMA };
    const request = anthropicMessages.decodeRequest({
      model: "claude-sonnet-5",
      max_tokens: 9,
      tools: [tool],
      messages: [{ role: "user", content: "Go." }],
    });
    const { body, warnings } = gemini.encodeRequest(request, TARGET);
    expect(body.tools).toEqual([
      { functionDeclarations: [{ name: "read_file", description: "Reads.", parametersJsonSchema: SCHEMA }] },
    ]);
    expect(warnings).toEqual([]);
  });

  it("are never taken out of what a tool was called with or answered", () => {
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

  it("ask for the shape of a reply in the field that takes them", () => {
    const request: Request = {
      model: "m",
      stream: false,
      sampling: {},
      outputFormat: { kind: "json-schema", schema: SCHEMA },
      conversation: makeConversation(),
    };
    expect(gemini.encodeRequest(request, TARGET).body.generationConfig).toEqual({
      responseMimeType: "application/json",
      responseJsonSchema: SCHEMA,
    });
  });
});
