import { expect, it } from "vitest";
import { argumentCount } from "./argument-count.ts";

it("reads a whole number", () => {
  expect([argumentCount(1)("40"), argumentCount(0)("0")]).toEqual([40, 0]);
});

it.each(["", "0", "-5", "ten", "1.5", "99999999999999999999"])("refuses %j", (text) => {
  expect(() => argumentCount(1)(text)).toThrow("give a whole number from 1 on");
});
