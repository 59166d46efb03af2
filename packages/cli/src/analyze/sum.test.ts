import { expect, it } from "vitest";
import { sum } from "./sum.ts";

it("adds up", () => {
  expect([sum([]), sum([1, 2, 3])]).toEqual([0, 6]);
});
