import { expect, it } from "vitest";
import { z } from "zod";
import { schemaFaults } from "./schema-faults.ts";

it("names every bad field, and the value itself where that is bad", () => {
  const schema = z.strictObject({ a: z.strictObject({ b: z.number("no number") }), c: z.string("no text") });
  expect(schemaFaults(schema.safeParse({ a: { b: "x" }, c: 1 }).error!, "the value")).toBe(
    "a.b: no number; c: no text",
  );
  expect(schemaFaults(schema.safeParse(1).error!, "the value")).toMatch(/^the value: /);
});
