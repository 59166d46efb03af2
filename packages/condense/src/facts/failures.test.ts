import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { isShortOutcome } from "./failures.ts";

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
    expect(isShort(`${hook}Updating 1a2b3c4..5d6e7f8`)).toBe(true);
  });
});
