import { describe, expect, it } from "vitest";
import { killedFiles, type TestRun, tally } from "../../scripts/tally.ts";

const passing = [
  { name: "lint", exitCode: 0 },
  { name: "types", exitCode: 0 },
];

describe("tally", () => {
  it("counts every check and every test", () => {
    expect(tally(passing, [makeRun({ a: "pp", b: "p" })])).toEqual({ passed: 5, failed: 0 });
  });

  it("counts failed checks and failed tests, but not skipped ones", () => {
    const checks = [...passing, { name: "unused code", exitCode: 2 }];
    expect(tally(checks, [makeRun({ a: "pfs", b: "fp" }, { exitCode: 1 })])).toEqual({ passed: 4, failed: 3 });
  });

  it("counts a test run that fails without a failed test, such as for too little coverage", () => {
    expect(tally(passing, [makeRun({ a: "pp" }, { exitCode: 1 })])).toEqual({ passed: 4, failed: 1 });
  });

  it("counts a test run without a report", () => {
    expect(tally(passing, [{ name: "tests", exitCode: 1, report: undefined, killed: [] }])).toEqual({
      passed: 2,
      failed: 1,
    });
  });

  it("counts the files of a killed process by the second run", () => {
    const first = makeRun({ a: "pp", b: "ps" }, { exitCode: 1, killed: ["b"] });
    expect(tally([], [first, makeRun({ b: "ppp" })])).toEqual({ passed: 5, failed: 0 });
    expect(tally([], [first, makeRun({ b: "ppf" }, { exitCode: 1 })])).toEqual({ passed: 4, failed: 1 });
    expect(tally([], [first, makeRun({ b: "ps" }, { exitCode: 1, killed: ["b"] })])).toEqual({ passed: 3, failed: 1 });
  });

  it("counts other failures beside a killed process", () => {
    const first = makeRun({ a: "pf", b: "ps" }, { exitCode: 1, killed: ["b"] });
    expect(tally([], [first, makeRun({ b: "ppp" })])).toEqual({ passed: 4, failed: 1 });
  });
});

describe("filesThatDied", () => {
  const output = (errors: number, ...lines: string[]) =>
    [`Vitest caught ${errors} unhandled error during the test run.`, ...lines].join("\n");
  const killed = (file: string) =>
    `\u001b[31mCaused by: Error\u001b[22m: Worker exited unexpectedly with signal SIGABRT during started state while running test file ${file}\u001b[39m`;

  it("finds them in vitest's output", () => {
    expect(killedFiles(output(2, killed("/a/b.test.ts"), "meanwhile", killed("/a/c d.test.ts")))).toEqual([
      "/a/b.test.ts",
      "/a/c d.test.ts",
    ]);
  });

  it.each([
    ["nothing went wrong", ""],
    ["something else went wrong too", output(2, killed("/a/b.test.ts"))],
    [
      "coverage is too low",
      `${output(1, killed("/a/b.test.ts"))}\nERROR: Coverage for lines (80%) does not meet "x" threshold (90%)`,
    ],
    [
      "a process exited by itself",
      output(1, "Worker exited unexpectedly with code 1 while running test file /a/b.test.ts"),
    ],
  ])("finds none if %s", (_, words) => {
    expect(killedFiles(words)).toEqual([]);
  });
});

const STATUSES: Readonly<Record<string, string>> = { p: "passed", f: "failed", s: "pending" };

/** A run of files, each with its tests by their first letters. */
function makeRun(files: Readonly<Record<string, string>>, fields: Partial<TestRun> = {}): TestRun {
  const testResults = Object.entries(files).map(([name, letters]) => ({
    name,
    assertionResults: [...letters].map((letter) => ({ status: STATUSES[letter] ?? letter })),
  }));
  return { name: "tests", exitCode: 0, report: { testResults }, killed: [], ...fields };
}
