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
import { gatherCandidates } from "./cover.ts";
import { markIn, planOmissions } from "./omissions.ts";
import { scopeOf } from "./scope.ts";

/** Returns the edits if only lines and steps with one of `words` are chosen. */
function leaveOutAllBut(messages: readonly Message[], words: RegExp) {
  const view = makeTestView(makeConversation(messages), 100);
  const scope = scopeOf(view, { tail: 0, newest: 0, user: 1 }, 100);
  const candidates = gatherCandidates(view, scope);
  const { lines, groups } = candidates;
  const isChosen = (unit: number) =>
    words.test(lines.textOf(unit).content.text.slice(lines.from(unit), lines.to(unit)));
  const kept = new Set(
    Array.from({ length: lines.size }, (_, unit) => unit)
      .filter(isChosen)
      .map((unit) => lines.textOf(unit).group),
  );
  return planOmissions(view, {
    scope,
    candidates,
    choice: { isChosen, isKept: (group) => kept.has(group) || groups[group]?.isKept === true },
  });
}

const NOTE = expect.stringContaining("stands for lines left out");
const step = (id: string, text: string, words = "I read.") => [
  makeAssistant([words, makeToolCall(id)]),
  makeUser(makeToolResult(id, text)),
];

describe("planOmissions", () => {
  it("cuts lines out of a result, drops the text beside the call, and adds one note before", () => {
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

  it("drops adjacent steps together, with the note in place of the first", () => {
    const messages = [makeUser("go"), ...step("a", "plain"), ...step("b", "plain"), ...step("c", "keep", "keep")];
    expect(leaveOutAllBut(messages, /keep/)).toEqual([
      { kind: "replace", from: 1, to: 5, with: [{ role: "user", parts: [NOTE] }], reason: "drop" },
    ]);
  });

  it("marks omissions in the assistant's text with brackets", () => {
    const answer = "A first sentence on one line.\nsomething to keep here\nA last sentence on another line.";
    const edits = leaveOutAllBut([makeUser("go"), makeAssistant(answer)], /keep/);
    expect(edits.at(-1)).toMatchObject({ splices: [{ text: "⟨…⟩\n" }, { text: "⟨…⟩" }] });
  });

  it("keeps a gap that is not longer than its mark", () => {
    const edits = leaveOutAllBut([makeUser("go"), makeAssistant("keep this\n}\nkeep that")], /keep/);
    expect(edits).toEqual([]);
  });

  it("plans nothing if everything is chosen", () => {
    expect(leaveOutAllBut([makeUser("go"), ...step("a", "all of it")], /./)).toEqual([]);
  });
});

it("uses a distinct mark in the assistant's text", () => {
  const { contents } = decompose([makeUser("a question"), makeAssistant("an answer")]);
  expect(contents.map(markIn)).toEqual(["…", "⟨…⟩"]);
});
