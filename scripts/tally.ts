import { stripVTControlCharacters } from "node:util";

/** How one command of a run ended. */
export interface Outcome {
  readonly name: string;
  readonly exitCode: number;
}

/** What vitest's JSON report tells. */
export interface TestReport {
  readonly testResults: readonly {
    /** The file. */
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** A run of tests, and what it left. */
export interface TestRun extends Outcome {
  readonly report: TestReport | undefined;
  /** Files whose process was ended by a signal, not by a test. */
  readonly died: readonly string[];
}

/** The sum of a run. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Counts every check and every test. A test run that fails without a failed test (a file that does not load, too little coverage)
 * counts as one failure, unless it is a process that died and the run after it went through the files once more.
 */
export function tally(checks: readonly Outcome[], runs: readonly TestRun[]): Tally {
  const failedChecks = checks.filter((check) => check.exitCode !== 0).length;
  const counts = runs.map(({ exitCode, report, died }, index) => {
    const isRepeated = died.length > 0 && index < runs.length - 1;
    const statuses = (report?.testResults ?? [])
      .filter(({ name }) => !(isRepeated && died.includes(name)))
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

/** The files whose process was ended by a signal, if vitest says of nothing else that it went wrong beside the tests. */
export function filesThatDied(said: string): readonly string[] {
  const plain = stripVTControlCharacters(said);
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
