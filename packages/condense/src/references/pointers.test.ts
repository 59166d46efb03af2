import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { Content } from "../content/content.ts";
import { makeTestView } from "../testing/context.ts";
import { Lines } from "./lines.ts";
import { MarkBook } from "./mark-book.ts";
import { isSameResult, isWholeRun, markFor, type Table, unitAt } from "./pointers.ts";
import { subjectOf } from "./subject.ts";
import { unitsOf } from "./units.ts";

/** Builds a table from results of one command. */
function results(...texts: readonly string[]): Table {
  const steps = texts.flatMap((text, index) => [
    makeAssistant(makeToolCall(`c${index}`, { name: "bash", input: { command: "cat" } })),
    makeUser(makeToolResult(`c${index}`, text)),
  ]);
  const view = makeTestView(makeConversation([makeUser("Go on."), ...steps]), 1e6);
  const groupOf = ({ level }: Content) => (level === "result" ? "" : undefined);
  const book = new MarkBook();
  const units = unitsOf(view.contents().contents, { origin: view.origin, groupOf, subjectOf, book });
  const lines = new Lines((passage) => units[passage]?.raw ?? "");
  for (const { passage } of units) lines.add(passage);
  return { units, lines, book };
}

describe("markFor", () => {
  it("counts lines from the start of the text, or uses the numbers that a tool printed", () => {
    const table = results("head\none\ntwo", " 8→one\n 9→two", "one\ntwo", "30: one\n31: two", " 8→one\n 9→two");
    const mark = (from: number, target: number) => markFor(table, { from, to: from + 2, target });
    expect(mark(4, 1)).toBe("[same as `cat` lines 2-3 above, here 8-9]");
    expect(mark(7, 4)).toBe("[same as `cat` lines 8-9 above]");
    expect(mark(10, 4)).toBe("[same as `cat` lines 8-9 above, here 30-31]");
    expect(mark(13, 4)).toBe("[same as `cat` lines 8-9 above]");
    expect(mark(7, 1)).toBe("[same as `cat` lines 2-3 above]");
  });

  it("consolidates a whole result that is the same, if results are counted", () => {
    const table = results("one\ntwo", "one\ntwo");
    const run = { from: 3, to: 5, target: 0 };
    expect(markFor(table, run, () => 4)).toBe("[same output as `cat` above, 4 times now]");
    expect(markFor(table, run)).toBe("[same as `cat` lines 1-2 above]");
  });
});

describe("isWholeRun and isSameResult", () => {
  it("require all lines on both sides in the same format", () => {
    const table = results("one\ntwo", "one\ntwo", "one\ntwo\nthree");
    const whole = { from: 3, to: 5, target: 0 };
    expect([isWholeRun(table, whole), isSameResult(table, whole)]).toEqual([true, true]);
    const formatted = { ...whole, dressing: { ending: "\r" } } as const;
    expect([isWholeRun(table, formatted), isSameResult(table, formatted)]).toEqual([true, false]);
    for (const part of [
      { from: 6, to: 8, target: 0 },
      { from: 3, to: 4, target: 0 },
      { from: 3, to: 5, target: 6 },
    ]) {
      expect(isWholeRun(table, part)).toBe(false);
    }
  });
});

describe("unitAt", () => {
  it("rejects a row without a unit", () => {
    expect(() => unitAt(results("one"), 99)).toThrow("row 99 belongs to no text");
  });
});
