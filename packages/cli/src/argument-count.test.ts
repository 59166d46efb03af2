import { expect, it } from "vitest";
import { argumentCount } from "./argument-count.ts";

it("reads a whole number", () => {
  expect(argumentCount("40")).toBe(40);
});

it.each(["", "0", "-5", "ten", "1.5", "99999999999999999999"])("refuses %j", (text) => {
  expect(() => argumentCount(text)).toThrow("give a whole number such as 40");
});
