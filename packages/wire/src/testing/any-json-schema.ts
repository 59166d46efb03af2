import type { JsonObject } from "@longhaul/conversation";
import fc from "fast-check";

/** A schema of a tool's input with the keywords that agents send. */
export function anyJsonSchema(): fc.Arbitrary<JsonObject> {
  return fc.constantFrom<JsonObject>(
    { type: "object", properties: {} },
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, pattern: "^/" },
        limit: { type: "integer", exclusiveMinimum: 0, default: 10 },
        mode: { anyOf: [{ const: "fast" }, { type: "null" }] },
        labels: { type: "object", propertyNames: { pattern: "^[a-z]+$" }, additionalProperties: { type: "string" } },
      },
      required: ["path"],
      additionalProperties: false,
    },
  );
}
