import type { TestCase, TestModule } from "vitest/node";

/** Closes a run with one line that any script can read: `N passed, N failed`. */
export default class CountReporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const cases = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: ReturnType<TestCase["result"]>["state"]) =>
      cases.filter((test) => test.result().state === state).length;
    const brokenModules = modules.filter((module) => module.errors().length > 0).length;
    const skipped = count("skipped") > 0 ? `, ${count("skipped")} skipped` : "";
    process.stdout.write(
      `\n${count("passed")} passed, ${count("failed") + brokenModules + unhandledErrors.length} failed${skipped}\n`,
    );
  }
}
