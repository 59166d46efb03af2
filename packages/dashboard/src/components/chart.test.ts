import { expect, it } from "vitest";
import { valueAxis } from "./chart.tsx";

it("starts at zero and ends slightly above the highest value", () => {
  expect(valueAxis([null, 50, 100])).toEqual({ low: 0, high: 108, isFlat: false });
});

it("extends below zero for losses", () => {
  expect(valueAxis([-100, 50])).toEqual({ low: -108, high: 54, isFlat: false });
  expect(valueAxis([-100, null])).toEqual({ low: -108, high: 0, isFlat: false });
});

it("is flat when all values are zero", () => {
  expect(valueAxis([0, null])).toEqual({ low: 0, high: 1, isFlat: true });
  expect(valueAxis([])).toEqual({ low: 0, high: 1, isFlat: true });
});
