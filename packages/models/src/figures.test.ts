import fc from "fast-check";
import { expect, it } from "vitest";
import { spellCount, spellUsd } from "./figures.ts";

it("spells counts as English does", () => {
  expect([0, 999, 8_500, 1_234_567.6, -1_500].map(spellCount)).toEqual(["0", "999", "8,500", "1,234,568", "-1,500"]);
  fc.assert(
    fc.property(fc.integer(), (count) => {
      expect(spellCount(count)).toBe(count.toLocaleString("en-US"));
    }),
  );
});

it("spells little money with more digits", () => {
  expect([12.345, 0.00361, -0.5, 0].map((usd) => spellUsd(usd))).toEqual(["$12.35", "$0.0036", "-$0.5000", "$0.0000"]);
  expect(spellUsd(0.00361, 2)).toBe("$0.00");
});
