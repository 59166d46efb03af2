import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { failureLine, hasFailed, isShortOutcome } from "./failures.ts";

function isShort(result: string): boolean {
  const call = makeToolCall("a", { name: "Bash", input: { command: "git commit" } });
  const { contents } = decompose([makeAssistant(call), makeUser(makeToolResult("a", result))]);
  return contents.some(isShortOutcome);
}

describe("isShortOutcome", () => {
  it("includes longer reports of a commit or a pull", () => {
    const hook = "checked one more file\n".repeat(12);
    expect(isShort(hook)).toBe(false);
    expect(isShort(`${hook}[main 1a2b3c4] Fix the lock`)).toBe(true);
    expect(isShort(`${hook}[detached HEAD 1a2b3c4] Fix the lock`)).toBe(true);
    expect(isShort(`${hook}Updating 1a2b3c4..5d6e7f8`)).toBe(true);
  });
});

describe("failureLine", () => {
  it("returns the first line of a client's message or a rejection, and else the last one that names an error", () => {
    const rejected = "<tool_use_error>String to replace not found in file.\nString: throw new Error()</tool_use_error>";
    expect(failureLine(rejected)).toBe("String to replace not found in file.");
    expect(failureLine("Tool 'convert' does not exist.\nCheck that the server has no error.")).toBe(
      "Tool 'convert' does not exist.",
    );
    expect(failureLine("a.ts: error 1\nok\nb.ts: error 2\ndone")).toBe("b.ts: error 2");
    expect(failureLine("fatal: no such ref\n1 hook failed")).toBe("fatal: no such ref");
    expect(failureLine("a.ts(1,2): error TS1: No\nnpm error command failed")).toBe("a.ts(1,2): error TS1: No");
  });
});

describe("hasFailed", () => {
  const other = { name: "convert", input: {}, callMessage: 0, resultMessage: 1, isError: false };

  it("includes a short result that rejects the call of any tool, but not a long text that begins so", () => {
    expect(hasFailed(other, "Tool 'convert' does not exist.")).toBe(true);
    expect(hasFailed(other, `Error handling in three steps\n${"text\n".repeat(200)}`)).toBe(false);
  });

  const bash = (command: string) => ({ ...other, name: "Bash", input: { command } });

  it.each([
    ["git checkout main; git status", "fatal: 'main' is already used by worktree at '/app'\nOn branch dev"],
    ["git pull", "fatal: remote error: not our ref\n=== done ===\nExit code: 0"],
    ["git pull", '{"output":"Fetching\\nfatal: no such ref\\n","metadata":{"exit_code":0}}'],
    ["node run.js 2>&1 | grep -v DEBUG", "started\nTypeError: x is undefined\n    at run.js:1"],
    ["git push", "To github.com:a/b\n ! [rejected]        main -> main (fetch first)"],
    ["deploy && echo done", "bash: deploy: command not found"],
    ["npx tsgo | head -3", "src/a.ts(1,2): error TS2304: Cannot find name 'x'."],
  ])("includes %j, although its exit code is 0 or unknown", (command, output) => {
    expect(hasFailed(bash(command), output)).toBe(true);
  });

  it.each([
    ["grep -rn 'error:' src", "error: as the first word of a line"],
    ["cd app && cat build.log | tail -20", "error: yesterday\nnpm ERR! old"],
    ["kubectl -n app logs web | tail", "Error: connection refused"],
    ["git log --format=%s", "fatal: show the cause in errors"],
    ["git branch -d old || true", "error: branch 'old' not found."],
    ["npm test", "Error: expected by the test\n Tests  14 passed (14)"],
    ["pip install .", "ERROR: a resolver note\nSuccessfully installed app"],
    ["git push --force", "error: a hook complains\n + 1a2b3c4...5d6e7f8 main -> main (forced update)"],
  ])("does not include %j", (command, output) => {
    expect(hasFailed(bash(command), output)).toBe(false);
  });
});
