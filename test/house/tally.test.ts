import { expect, it } from "vitest";
import { tally } from "../../scripts/tally.ts";

const passing = [
  { name: "lint", exitCode: 0 },
  { name: "types", exitCode: 0 },
];

it("counts every check and every test", () => {
  expect(tally(passing, ended(0), { numPassedTests: 40, numFailedTests: 0 })).toEqual({ passed: 42, failed: 0 });
});

it("counts failed checks and failed tests", () => {
  const checks = [...passing, { name: "unused code", exitCode: 2 }];
  expect(tally(checks, ended(1), { numPassedTests: 38, numFailedTests: 2 })).toEqual({ passed: 40, failed: 3 });
});

it("counts a test run that fails without a failed test, as with too little coverage", () => {
  expect(tally(passing, ended(1), { numPassedTests: 40, numFailedTests: 0 })).toEqual({ passed: 42, failed: 1 });
});

it("counts a test run that never reported", () => {
  expect(tally(passing, ended(1), undefined)).toEqual({ passed: 2, failed: 1 });
});

function ended(exitCode: number) {
  return { name: "tests", exitCode };
}
