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
