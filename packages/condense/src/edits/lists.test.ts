import { expect, it } from "vitest";
import { groupBy, sum } from "./lists.ts";

it("sums numbers, and returns 0 for none", () => {
  expect([sum([1, 2, 3.5]), sum([])]).toEqual([6.5, 0]);
});

it("keeps the order of values and groups, and drops values without a key", () => {
  const groups = groupBy([5, 2, 9, 4, 7], (value) => (value === 9 ? undefined : value % 2));
  expect([...groups]).toEqual([
    [1, [5, 7]],
    [0, [2, 4]],
  ]);
});
