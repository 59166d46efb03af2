import type { Message } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { makeTestView } from "../testing/context.ts";
import { gatherLines } from "./cover.ts";
import { leaveOut, markIn } from "./left-out.ts";
import { scopeOf } from "./scope.ts";

/** The edits where only the lines and the steps that hold one of `words` are chosen. */
function leaveOutAllBut(messages: readonly Message[], words: RegExp) {
  const view = makeTestView(makeConversation(messages), 100);
  const scope = scopeOf(view, { tail: 0, newest: 0, user: 1 }, 100);
  const market = gatherLines(view, scope);
  const { supply, groups } = market;
  const isChosen = (unit: number) =>
    words.test(supply.textOf(unit).content.text.slice(supply.from(unit), supply.to(unit)));
  const kept = new Set(
    Array.from({ length: supply.size }, (_, unit) => unit)
      .filter(isChosen)
      .map((unit) => supply.textOf(unit).group),
  );
  return leaveOut(view, {
    scope,
    market,
    choice: { isChosen, isKept: (group) => kept.has(group) || groups[group]?.isKept === true },
  });
}

const NOTE = expect.stringContaining("stands for lines left out");
const step = (id: string, text: string, words = "I read.") => [
  makeAssistant([words, makeToolCall(id)]),
  makeUser(makeToolResult(id, text)),
];

describe("leaveOut", () => {
  it("cuts lines out of a result, drops the words beside the call, and notes it once before", () => {
    const text = "first plain line of it\nthe one to keep\nanother plain line\nand one more of them\n";
    const edits = leaveOutAllBut([makeUser("go"), ...step("a", text)], /keep/);
    expect(edits).toEqual([
      { kind: "replace", from: 1, to: 1, with: [{ role: "user", parts: [NOTE] }], reason: "cover" },
      { kind: "remove", at: { message: 1, block: 0, path: [] }, reason: "cover" },
      {
        kind: "splice",
        at: { message: 2, block: 0, path: [0] },
        splices: [
          { from: 0, to: 23, text: "…\n" },
          { from: 39, to: text.length, text: "…\n" },
        ],
        reason: "cover",
      },
    ]);
  });

  it("drops neighbouring steps together, with the note in the place of the first", () => {
    const messages = [makeUser("go"), ...step("a", "plain"), ...step("b", "plain"), ...step("c", "keep", "keep")];
    expect(leaveOutAllBut(messages, /keep/)).toEqual([
      { kind: "replace", from: 1, to: 5, with: [{ role: "user", parts: [NOTE] }], reason: "drop" },
    ]);
  });

  it("marks what it leaves out of the assistant's own words so that nobody takes it for theirs", () => {
    const answer = "A first sentence on one line.\nsomething to keep here\nA last sentence on another line.";
    const edits = leaveOutAllBut([makeUser("go"), makeAssistant(answer)], /keep/);
    expect(edits.at(-1)).toMatchObject({ splices: [{ text: "⟨…⟩\n" }, { text: "⟨…⟩" }] });
  });

  it("leaves a gap alone that is no longer than its mark", () => {
    const edits = leaveOutAllBut([makeUser("go"), makeAssistant("keep this\n}\nkeep that")], /keep/);
    expect(edits).toEqual([]);
  });

  it("plans nothing where everything is chosen", () => {
    expect(leaveOutAllBut([makeUser("go"), ...step("a", "all of it")], /./)).toEqual([]);
  });
});

it("marks what the assistant wrote so that nobody takes the mark for its own", () => {
  const { contents } = decompose([makeUser("a question"), makeAssistant("an answer")]);
  expect(contents.map(markIn)).toEqual(["…", "⟨…⟩"]);
});
