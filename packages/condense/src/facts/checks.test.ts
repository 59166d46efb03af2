import type { JsonObject } from "@longhaul/conversation";
import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { ToolUse } from "../content/content.ts";
import { decompose } from "../content/contents.ts";
import { lastChecks } from "./checks.ts";

interface Run {
  readonly input: JsonObject;
  readonly result: string;
}

function run(command: string, result: string): Run {
  return { input: { command }, result };
}

function checks(...runs: Run[]): string[] {
  const messages = runs.flatMap(({ input, result }, index) => [
    makeAssistant(makeToolCall(`c${index}`, { name: "Bash", input })),
    makeUser(makeToolResult(`c${index}`, result)),
  ]);
  const results = new Map<ToolUse, string>();
  for (const { level, use, text } of decompose(messages).contents) {
    if (level === "result" && use !== undefined) results.set(use, text);
  }
  return lastChecks(results).map(({ text }) => text);
}

const FAILED = "src/a.test.ts (2 tests)\n Tests  1 failed | 13 passed (14)\n Duration  1.42s";
const PASSED = " Tests  14 passed (14)\n Duration  1.40s";

describe("lastChecks", () => {
  it("reports the latest run of each check with its verdict, the latest first", () => {
    expect(
      checks(run("npm test", FAILED), run("npm run lint", "Checked 88 files"), run("npm run test", PASSED)),
    ).toEqual(["`npm run test`: passed (Tests 14 passed (14))", "`npm run lint`: passed (Checked 88 files)"]);
    expect(checks(run("npm test", PASSED), run("cd app && npm test 2>&1 | tail -5", FAILED))).toEqual([
      "`npm test`: failed (Tests 1 failed | 13 passed (14))",
    ]);
  });

  it("reads colored output, and output in an object", () => {
    const color = String.fromCharCode(27);
    expect(checks(run("npx biome check .", `${color}[34mChecked 3 files${color}[0m in 2ms.`))).toEqual([
      "`npx biome check`: passed (Checked 3 files in 2ms)",
    ]);
    const output = JSON.stringify({ output: "src/a.ts(3,1): error TS2393: Twice\n", metadata: { exit_code: 2 } });
    const both = { command: ["bash", "-lc", "npm run -s typecheck && npm run -s test -- --pool=threads"] };
    expect(checks({ input: both, result: output })).toEqual([
      "`npm run typecheck && npm run test`: failed (src/a.ts(3,1): error TS2393: Twice)",
    ]);
  });

  it("counts a check without output as passed unless its exit code is lost in a pipe", () => {
    expect(checks(run("npx tsc --noEmit", ""))).toEqual(["`npx tsc --noEmit`: passed"]);
    expect(checks(run("npx tsc --noEmit | head -3", ""))).toEqual([]);
    expect(checks(run("npm run build", "Command running in background with ID: 3"))).toEqual([]);
  });

  it("recognizes a check by whole words of its script, whatever options precede them", () => {
    const scripts = ["test:unit", "lint-fix", "typecheck", "pretest", "check-types", "unit_tests"];
    for (const script of scripts) expect(checks(run(`npm run ${script}`, "2 passed"))).toHaveLength(1);
    for (const script of ["latest", "contest", "linting-docs", "rebuilder", "checkout"])
      expect(checks(run(`npm run ${script}`, "2 passed"))).toEqual([]);
    const others = ["timeout 60 pnpm --filter app test", "npm -w app run build", "./gradlew testDebug", "npx tsgo"];
    for (const command of others) expect(checks(run(command, "2 passed"))).toHaveLength(1);
    expect(checks(run('git commit -m "Fix it; npm test"', "2 passed"))).toEqual([]);
  });

  it("replaces the earlier run of a check, and says whether files were changed after the last one", () => {
    const edit: Run = { input: { command: "sed -i s/a/b/ src/a.ts" }, result: "" };
    const other: Run = { input: { command: "mkdir -p out && git status" }, result: "" };
    expect(checks(run("npm test", FAILED), edit, run("npm run lint", "Checked 3 files"), other)).toEqual([
      "`npm run lint`: passed (Checked 3 files)",
      "`npm test`: failed before the last changes (Tests 1 failed | 13 passed (14))",
    ]);
    expect(checks(run("npm test", FAILED), edit, run("npm test", PASSED))).toEqual([
      "`npm test`: passed (Tests 14 passed (14))",
    ]);
  });

  it("counts a check as failed whose output says so, although its exit code is that of a filter", () => {
    const output = "> tsgo --noEmit\nsrc/a.ts(3,1): error TS2304: Cannot find name 'x'.\nnpm error command failed";
    expect(checks(run("npm run check 2>&1 | head -40", output))).toEqual([
      "`npm run check`: failed (src/a.ts(3,1): error TS2304: Cannot find name 'x')",
    ]);
    expect(checks(run("npm test", "Error: expected by the test\n 3 passed"))).toEqual([
      "`npm test`: passed (3 passed)",
    ]);
  });

  it("ignores other commands, and lists at most four checks", () => {
    expect(checks(run("test -f a.ts", ""), run("cat vitest.config.ts", "x"), run("git checkout main", ""))).toEqual([]);
    const many = ["npm test", "npm run build", "npm run lint", "cargo test", "go vet ./..."];
    expect(checks(...many.map((command) => run(command, "3 passed")))).toHaveLength(4);
  });
});
