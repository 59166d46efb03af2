import { expect, it } from "vitest";
import { groupBy } from "./group-by.ts";

it("keeps the order of values and of groups, and leaves out what has no key", () => {
  const groups = groupBy([5, 2, 9, 4, 7], (value) => (value === 9 ? undefined : value % 2));
  expect([...groups]).toEqual([
    [1, [5, 7]],
    [0, [2, 4]],
  ]);
});
