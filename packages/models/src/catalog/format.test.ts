import fc from "fast-check";
import { expect, it } from "vitest";
import { formatCount, formatUsd } from "./format.ts";

it("groups thousands like the en-US locale", () => {
  expect([0, 999, 8_500, 1_234_567.6, -1_500].map(formatCount)).toEqual(["0", "999", "8,500", "1,234,568", "-1,500"]);
  fc.assert(
    fc.property(fc.integer(), (count) => {
      expect(formatCount(count)).toBe(count.toLocaleString("en-US"));
    }),
  );
});

it("shows four decimals below one dollar and two above, or the given number of decimals", () => {
  expect([12.345, 0.00361, -0.5, 0].map((usd) => formatUsd(usd))).toEqual(["$12.35", "$0.0036", "-$0.5000", "$0"]);
  expect(formatUsd(0.00361, 2)).toBe("<$0.01");
  expect([0.00001, -0.00001].map((usd) => formatUsd(usd))).toEqual(["<$0.0001", "-<$0.0001"]);
});
