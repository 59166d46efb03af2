/** How one command of a run ended. */
export interface Outcome {
  readonly name: string;
  readonly exitCode: number;
}

/** What vitest's JSON report counts. */
export interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}

/** The sum of a run. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Counts every check and every test. A test run that fails without a failed test (a file that does not load, too little coverage)
 * counts as one failure.
 */
export function tally(checks: readonly Outcome[], tests: Outcome, report: TestReport | undefined): Tally {
  const failedChecks = checks.filter((check) => check.exitCode !== 0).length;
  const failedTests = report?.numFailedTests ?? 0;
  const unexplained = tests.exitCode !== 0 && failedTests === 0 ? 1 : 0;
  return {
    passed: checks.length - failedChecks + (report?.numPassedTests ?? 0),
    failed: failedChecks + failedTests + unexplained,
  };
}
