import { expect, it } from "vitest";
import { runSteps } from "./stepper.ts";

const sums = {
  step: (sum: number, value: number) => [sum + value, value === 0 ? [] : [sum + value, value]] as const,
  end: (sum: number) => [sum],
};

it("keeps its state between calls and returns outputs in order", () => {
  const run = runSteps(sums, 10);
  expect([run.feed([1, 0, 2]), run.feed([]), run.feed([3]), run.end()]).toEqual([[11, 1, 13, 2], [], [16, 3], [16]]);
});
