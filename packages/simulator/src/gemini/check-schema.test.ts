import { expect, it } from "vitest";
import { checkSchema } from "./check-schema.ts";

const fields = (...names: readonly [string, object][]) => ({ type: "OBJECT", properties: Object.fromEntries(names) });

it.each([
  [{ type: "OBJECT" }, "* p.properties: should be non-empty for OBJECT type\n"],
  [{ type: "ARRAY" }, "* p.items: missing field.\n"],
  [fields(["a", { type: "ARRAY" }]), "* p.properties[a].items: missing field.\n"],
  [{ type: "ARRAY", items: { type: "OBJECT" } }, "* p.items.properties: should be non-empty for OBJECT type\n"],
  [{ anyOf: [{ type: "STRING" }, { type: "ARRAY" }] }, "* p.any_of[1].items: missing field.\n"],
])("refuses %o", (schema, message) => {
  expect(() => checkSchema(schema, "p")).toThrow(message);
});

it("takes schemas that say enough", () => {
  expect(() =>
    checkSchema(fields(["a", { type: "STRING" }], ["b", { type: "ARRAY", items: { type: "NUMBER" } }]), "p"),
  ).not.toThrow();
  expect(() => checkSchema({ type: "OBJECT", anyOf: [{ type: "STRING" }] }, "p")).not.toThrow();
});
