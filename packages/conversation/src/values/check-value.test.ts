import { expect, it } from "vitest";
import { z } from "zod";
import { checkValue } from "./check-value.ts";

const schema = z.object({ name: z.string().min(1) });

it("returns the value that fits the schema", () => {
  expect(checkValue(schema, { name: "a" })).toEqual({ success: true, data: { name: "a" } });
});

it("returns an issue when an object takes the place of a text and its length cannot be compared", () => {
  const { success, error } = checkValue(schema, { name: { length: { toString: "" } } });
  expect(success).toBe(false);
  expect(error?.issues[0]?.message).toMatch(/object where a text/);
});

it("throws other errors", () => {
  const broken = z.unknown().transform(() => {
    throw new RangeError("broken");
  });
  expect(() => checkValue(broken, 1)).toThrow(RangeError);
});

it.each([
  ["is required", z.object({ a: z.string() }), {}],
  ["must be a string", z.string(), 1],
  ["must be true or false", z.boolean(), "yes"],
  ["must be a whole number", z.int(), 1.5],
  ["must be an object", z.object({}), []],
  ["must be a list", z.array(z.string()), "a"],
  ['must be one of on, off, not "maybe"', z.enum(["on", "off"]), "maybe"],
  ["must be 1", z.literal(1), 2],
  [
    "must be one of a, b",
    z.discriminatedUnion("k", [z.object({ k: z.literal("a") }), z.object({ k: z.literal("b") })]),
    { k: "c" },
  ],
  ["must be at least 5, not 0.5", z.number().min(5), 0.5],
  ["must be more than 0, not 0", z.number().positive(), 0],
  ["must be at most 100, not 500", z.number().max(100), 500],
  ["must not be empty", z.string().min(1), ""],
  ["must have at least 2 items", z.array(z.string()).min(2), []],
  ["has unknown fields: b", z.strictObject({ a: z.string().optional() }), { b: 1 }],
  ["must match /^a$/", z.string().regex(/^a$/), "b"],
  ["our own words", z.string({ error: "our own words" }), 1],
])("describes an issue as %j", (message, schema, value) => {
  expect(checkValue(schema, value).error?.issues.map((issue) => issue.message)).toEqual([message]);
});

it("does not show the value of a setting that may be a secret", () => {
  expect(checkValue(z.string().min(20), "sk-secret").error?.message).not.toContain("sk-secret");
});
