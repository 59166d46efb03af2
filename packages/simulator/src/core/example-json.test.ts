import { expect, it } from "vitest";
import { exampleOf } from "./example-json.ts";

it.each([
  [{ type: "string" }, "text"],
  [{ type: "string", minLength: 6 }, "textxx"],
  [{ type: "integer", minimum: 5 }, 5],
  [{ type: ["number", "null"] }, 1],
  [{ type: "boolean" }, true],
  [{ type: "null" }, null],
  [{ enum: ["a", "b"] }, "a"],
  [{ const: 0 }, 0],
  [{ type: "array", items: { type: "string" }, minItems: 2 }, ["text", "text"]],
  [{ anyOf: [{ type: "integer" }, { type: "string" }] }, 1],
  [{ type: "OBJECT", properties: { a: { type: "STRING" }, b: { type: "INTEGER" } }, required: ["b"] }, { b: 1 }],
  [{ properties: { a: { type: "string" } } }, { a: "text" }],
  ["no schema", {}],
])("makes an example of %j", (schema, example) => {
  expect(exampleOf(schema)).toEqual(example);
});

it("ends for a schema that contains itself", () => {
  const node: Record<string, unknown> = { type: "object" };
  node.properties = { next: node };
  expect(JSON.stringify(exampleOf(node)).length).toBeLessThan(200);
});
