import { describe, expect, it } from "vitest";
import { jsonSchemaOf } from "./schema.ts";

describe("jsonSchemaOf", () => {
  it("reads Gemini's own schemas as JSON Schema, all the way down", () => {
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

  it("leaves data alone, whatever it looks like", () => {
    const schema = {
      type: "STRING",
      enum: ["STRING", "nullable"],
      default: { type: "STRING", nullable: true },
      example: { minItems: "1" },
    };
    expect(jsonSchemaOf(schema)).toEqual({ ...schema, type: "string" });
  });

  it("takes a property named like a keyword for a property", () => {
    const schema = { type: "OBJECT", properties: { type: { type: "STRING" }, nullable: { type: "BOOLEAN" } } };
    expect(jsonSchemaOf(schema)).toEqual({
      type: "object",
      properties: { type: { type: "string" }, nullable: { type: "boolean" } },
    });
  });

  it("keeps what is no schema where one is expected", () => {
    const odd = { properties: 1, items: true, anyOf: "x", type: ["STRING"], minItems: 2 };
    expect(jsonSchemaOf(odd)).toEqual(odd);
  });
});
