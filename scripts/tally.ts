import { stripVTControlCharacters } from "node:util";

/** The outcome of one command. */
export interface Outcome {
  readonly name: string;
  readonly exitCode: number;
}

/** The parts of vitest's JSON report that are used. */
export interface TestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** A test run and its result. */
export interface TestRun extends Outcome {
  readonly report: TestReport | undefined;
  /** Files whose process was killed by a signal. */
  readonly killed: readonly string[];
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Counts every check and every test. A test run that fails without a failed test (a file that does not load, too little coverage) counts as
 * one failure, unless a process killed and the following run repeated its files.
 */
export function tally(checks: readonly Outcome[], runs: readonly TestRun[]): Tally {
  const failedChecks = checks.filter((check) => check.exitCode !== 0).length;
  const counts = runs.map(({ exitCode, report, killed }, index) => {
    const isRepeated = killed.length > 0 && index < runs.length - 1;
    const statuses = (report?.testResults ?? [])
      .filter(({ name }) => !(isRepeated && killed.includes(name)))
      .flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
    const failed = count(statuses, "failed");
    const isUnexplained = exitCode !== 0 && failed === 0 && !isRepeated;
    return { passed: count(statuses, "passed"), failed: failed + (isUnexplained ? 1 : 0) };
  });
  return {
    passed: checks.length - failedChecks + sum(counts.map(({ passed }) => passed)),
    failed: failedChecks + sum(counts.map(({ failed }) => failed)),
  };
}

const DIED = /Worker exited unexpectedly with signal \w+ .*while running test file (.+)/g;
const UNHANDLED = /Vitest caught (\d+) unhandled error/;
const TOO_LITTLE_COVERAGE = "ERROR: Coverage";

/** Returns the files whose process was killed by a signal, if vitest reports no other errors outside of tests. */
export function killedFiles(output: string): readonly string[] {
  const plain = stripVTControlCharacters(output);
  const files = [...plain.matchAll(DIED)].map(([, file = ""]) => file);
  const isAll = Number(UNHANDLED.exec(plain)?.[1]) === files.length && !plain.includes(TOO_LITTLE_COVERAGE);
  return isAll ? files : [];
}

function count(statuses: readonly string[], wanted: string): number {
  return statuses.filter((status) => status === wanted).length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
