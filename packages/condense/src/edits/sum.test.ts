import { expect, it } from "vitest";
import { sum } from "./sum.ts";

it("is all numbers together, and nothing for none", () => {
  expect([sum([1, 2, 3.5]), sum([])]).toEqual([6.5, 0]);
});
