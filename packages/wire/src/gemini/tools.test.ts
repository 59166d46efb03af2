import type { Tool } from "@longhaul/conversation";
import { makeTool } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { finish } from "../codec/stepper.ts";
import { encodeTools, jsonSchemaOf, toolSteps } from "./tools.ts";

const decodeTools = (tools: Parameters<typeof toolSteps>[0]) => finish(toolSteps(tools));

const GOOGLE = { vendor: "google", extras: true };

const DECLARATION = {
  name: "read_file",
  description: "Reads.",
  parameters: { type: "OBJECT", properties: { path: { type: "STRING" } } },
  behavior: "BLOCKING",
};
const STANDARD = {
  name: "list",
  parameters_json_schema: { type: "object", additionalProperties: false, $schema: "https://json-schema.org/schema" },
};

describe("decodeTools", () => {
  it("decodes functions with either kind of schema, and server tools", () => {
    const tools = [
      { functionDeclarations: [DECLARATION], googleSearch: {} },
      { function_declarations: [STANDARD, { name: "now" }] },
    ];
    expect(decodeTools(tools)).toEqual([
      {
        name: "read_file",
        kind: "function",
        description: "Reads.",
        inputSchema: { type: "object", properties: { path: { type: "string" } } },
        native: { wire: "gemini", value: DECLARATION },
        extra: { behavior: "BLOCKING" },
      },
      { name: "googleSearch", kind: "server", native: { wire: "gemini", value: { googleSearch: {} } } },
      {
        name: "list",
        kind: "function",
        inputSchema: STANDARD.parameters_json_schema,
        native: { wire: "gemini", value: STANDARD },
      },
      { name: "now", kind: "function", native: { wire: "gemini", value: { name: "now" } } },
    ]);
  });

  it("returns no tools if there are none", () => {
    expect([decodeTools(undefined), decodeTools(null), decodeTools([])]).toEqual([[], [], []]);
  });

  it("rejects a function without a name", () => {
    expect(() => decodeTools([{ functionDeclarations: [{}] }])).toThrow(
      "tools[0].functionDeclarations[0].name: expected a string, got nothing",
    );
  });
});

describe("encodeTools", () => {
  const own = [{ functionDeclarations: [DECLARATION], googleSearch: {} }, { functionDeclarations: [{ name: "now" }] }];

  it("writes unchanged tools in their original entries", () => {
    expect(encodeTools(decodeTools(own), own, GOOGLE)).toBe(own);
  });

  it("writes all functions in one entry if one changed", () => {
    const tools = [...decodeTools(own).filter(({ name }) => name !== "now"), makeTool("added", ["x"])];
    expect(encodeTools(tools, own, GOOGLE)).toEqual([
      {
        functionDeclarations: [
          DECLARATION,
          {
            name: "added",
            description: "Does what added says.",
            parametersJsonSchema: { type: "object", properties: { x: { type: "string" } } },
          },
        ],
      },
      { googleSearch: {} },
    ]);
  });

  it("writes any schema unchanged except for its type", () => {
    const tools: Tool[] = [
      { name: "any", kind: "function", inputSchema: { anyOf: [{ required: ["a"] }] }, extra: { behavior: "BLOCKING" } },
      { name: "none", kind: "function" },
    ];
    expect(encodeTools(tools, undefined, { ...GOOGLE, extras: false })).toEqual([
      {
        functionDeclarations: [
          { name: "any", parametersJsonSchema: { type: "object", anyOf: [{ required: ["a"] }] } },
          { name: "none" },
        ],
      },
    ]);
    expect(encodeTools(tools.slice(0, 1), undefined, GOOGLE)).toMatchObject([
      { functionDeclarations: [{ behavior: "BLOCKING" }] },
    ]);
  });
});

describe("jsonSchemaOf", () => {
  it("converts Gemini schemas to JSON Schema at every level", () => {
    const schema = {
      type: "OBJECT",
      properties: {
        path: { type: "STRING", minLength: "1", maxLength: 200, format: "uri" },
        mode: { anyOf: [{ type: "STRING" }, { type: "INTEGER" }], nullable: true },
        lines: { type: "ARRAY", items: { type: "NUMBER" }, minItems: "1", nullable: true },
        pair: { type: "ARRAY", prefixItems: [{ type: "BOOLEAN" }] },
        labels: { type: "OBJECT", additionalProperties: { type: "STRING" } },
        anything: { nullable: true },
      },
      propertyOrdering: ["path", "mode"],
      required: ["path"],
    };
    expect(jsonSchemaOf(schema)).toEqual({
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, maxLength: 200, format: "uri" },
        mode: { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] },
        lines: { type: ["array", "null"], items: { type: "number" }, minItems: 1 },
        pair: { type: "array", prefixItems: [{ type: "boolean" }] },
        labels: { type: "object", additionalProperties: { type: "string" } },
        anything: {},
      },
      required: ["path"],
    });
  });

  it("does not change data that looks like a schema", () => {
    const schema = {
      type: "STRING",
      enum: ["STRING", "nullable"],
      default: { type: "STRING", nullable: true },
      example: { minItems: "1" },
    };
    expect(jsonSchemaOf(schema)).toEqual({ ...schema, type: "string" });
  });

  it("treats a property with a keyword's name as a property", () => {
    const schema = { type: "OBJECT", properties: { type: { type: "STRING" }, nullable: { type: "BOOLEAN" } } };
    expect(jsonSchemaOf(schema)).toEqual({
      type: "object",
      properties: { type: { type: "string" }, nullable: { type: "boolean" } },
    });
  });

  it("keeps a value that is not a schema", () => {
    const odd = { properties: 1, items: true, anyOf: "x", type: ["STRING"], minItems: 2 };
    expect(jsonSchemaOf(odd)).toEqual(odd);
  });
});
