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
  });
});

describe("hasFailed", () => {
  const other = { name: "convert", input: {}, callMessage: 0, resultMessage: 1, isError: false };

  it("includes a short result that rejects the call of any tool, but not a long text that begins so", () => {
    expect(hasFailed(other, "Tool 'convert' does not exist.")).toBe(true);
    expect(hasFailed(other, `Error handling in three steps\n${"text\n".repeat(200)}`)).toBe(false);
  });
});
