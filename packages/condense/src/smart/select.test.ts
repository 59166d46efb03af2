import {
  makeAssistant,
  makeConversation,
  makeImage,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeTestView } from "../testing/context.ts";
import type { Selection } from "./config.ts";
import { candidateOf, mediaCandidates, selector } from "./select.ts";

const SESSION = makeConversation([
  makeUser("Find the bug."),
  makeAssistant(["Looking.", makeToolCall("a", { name: "grep", input: { query: "bug" } })]),
  makeUser(makeToolResult("a", "src/a.ts: bug")),
  makeAssistant([makeToolCall("b", { name: "bash", input: { command: "npm test" } })]),
  makeUser(makeToolResult("b", "1 failed", { isError: true })),
  makeAssistant([makeToolCall("c", { name: "screenshot" })]),
  makeUser(makeToolResult("c", [makeImage()])),
  makeAssistant("It is in src/a.ts."),
]);

const view = makeTestView(SESSION, 1000);

/** What a selection picks, as `message level`. */
function picked(selection: Selection): string[] {
  return view
    .contents()
    .contents.map(candidateOf)
    .filter(selector(view, selection))
    .map(({ message, level }) => `${message} ${level}`);
}

describe("selector", () => {
  it("leaves the newest messages alone", () => {
    expect(picked({ type: "preserve_recent", keepRecentCount: 6 })).toEqual(["0 text", "1 text", "1 parameters"]);
    expect(picked({ type: "preserve_recent", keepRecentCount: 99 })).toEqual([]);
  });

  it("leaves a share of the messages alone, rounded up", () => {
    expect(picked({ type: "preserve_percent", keepPercentage: 80 })).toEqual(["0 text"]);
    expect(picked({ type: "preserve_percent", keepPercentage: 100 })).toEqual([]);
    expect(picked({ type: "preserve_percent", keepPercentage: 0 })).toHaveLength(view.contents().contents.length);
  });

  it.each<[string, Partial<Extract<Selection, { type: "custom" }>>, string[]]>([
    ["role", { roles: ["user"], contentTypes: ["messageText"] }, ["0 text"]],
    ["kind of content", { contentTypes: ["toolParameters"], toIndex: 3 }, ["1 parameters", "3 parameters"]],
    ["tool", { toolNames: ["grep"] }, ["1 parameters", "2 result"]],
    ["failure", { errors: "only" }, ["4 result"]],
    ["success", { errors: "none", toolNames: ["bash"] }, ["3 parameters"]],
    ["size", { minChars: 8, maxChars: 8, errors: "only" }, ["4 result"]],
    ["size", { minChars: 14 }, ["7 text"]],
    ["age", { minAge: 5, maxAge: 6 }, ["1 text", "1 parameters", "2 result"]],
    ["index", { fromIndex: 4, toIndex: 4 }, ["4 result"]],
    ["several conditions at once", { roles: ["assistant"], contentTypes: ["messageText"], minAge: 1 }, ["1 text"]],
  ])("picks by %s", (_, conditions, expected) => {
    expect(picked({ type: "custom", ...conditions })).toEqual(expected);
  });
});

describe("mediaCandidates", () => {
  it("finds images in results, with the tool that gave them", () => {
    expect(mediaCandidates(view)).toMatchObject([{ message: 6, block: 0, level: "result", toolName: "screenshot" }]);
  });
});
