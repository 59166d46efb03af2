import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { Content } from "../content/content.ts";
import { makeCounter, makeTestView } from "../testing/context.ts";
import { isWorth, planReferences } from "./plan.ts";

const LINES = Array.from({ length: 40 }, (_, line) => `a line of the file, with its number ${line}`);
const rules = {
  isSource: ({ level }: Content) => level === "result",
  groupOf: () => "text",
  reason: "reference",
} as const;

function reads(...texts: readonly string[]) {
  const steps = texts.flatMap((text, index) => [
    makeAssistant(makeToolCall(`c${index}`)),
    makeUser(makeToolResult(`c${index}`, text)),
  ]);
  return makeTestView(makeConversation([makeUser("Go on."), ...steps]), 1e6);
}

function marksOf(...texts: readonly string[]): unknown[] {
  return planReferences(reads(...texts), rules).flatMap((edit) =>
    edit.kind === "splice" ? edit.splices.map((splice) => splice.text) : [],
  );
}

describe("planReferences", () => {
  it("compares lines inside JSON, and the output of commands in text", () => {
    const json = (code: number) => JSON.stringify({ output: LINES.join("\n"), code });
    expect(marksOf(json(0), json(1))).toEqual(["[same as src/main.ts lines 1-39 above]"]);
    const run = (code: number) => [
      makeAssistant("```\ncat notes\n```"),
      makeUser(`<returncode>${code}</returncode>\n${LINES.join("\n")}`),
    ];
    const [edit] = planReferences(
      makeTestView(makeConversation([makeUser("Go on."), ...run(0), ...run(1)]), 1e6),
      rules,
    );
    expect(edit?.splices.map(({ text }) => text)).toEqual(["[same as `cat notes` lines 2-41 above]"]);
  });

  it("puts all references of a text into one edit, with targets and replaced lines", () => {
    const first = LINES.join("\n");
    const second = [...LINES.slice(0, 5), "something else altogether", ...LINES.slice(20, 30)].join("\n");
    const head = LINES.slice(0, 5).join("\n");
    const from = LINES.slice(0, 20).join("\n").length + 1;
    const target = { message: 2, block: 0, path: [0] };
    expect(planReferences(reads(first, second), rules)).toEqual([
      {
        kind: "splice",
        at: { message: 4, block: 0, path: [0] },
        reason: "reference",
        splices: [
          {
            from: 0,
            to: head.length,
            text: "[same as src/main.ts lines 1-5 above]",
            reference: { target, from: 0, to: head.length },
          },
          {
            from: `${head}\nsomething else altogether\n`.length,
            to: second.length,
            text: "[same as src/main.ts lines 21-30 above]",
            reference: { target, from, to: LINES.slice(0, 30).join("\n").length },
          },
        ],
      },
    ]);
  });

  it("ignores short repeats", () => {
    expect(marksOf("only one short line\nhere", "only one short line\nthere")).toEqual([]);
    expect(marksOf("x".repeat(119), "x".repeat(119))).toEqual([]);
    expect(marksOf("x".repeat(200), `${"x".repeat(200)}\nand more`)).toHaveLength(1);
  });

  it("compares only within a group, and only whole contents if required", () => {
    const text = LINES.join("\n");
    const view = reads(text, text, `${text}\nmore`);
    const group = ({ at }: Content) => String(at.message % 4);
    expect(planReferences(view, { ...rules, groupOf: group }).map((edit) => "at" in edit && edit.at.message)).toEqual([
      6,
    ]);
    expect(
      planReferences(view, { ...rules, needsWhole: () => true }).map((edit) => "at" in edit && edit.at.message),
    ).toEqual([4]);
    expect(planReferences(view, { ...rules, groupOf: () => undefined })).toEqual([]);
  });
});

describe("isWorth", () => {
  it("requires three times the tokens of the mark, unless stated otherwise", () => {
    expect(isWorth({ text: "x".repeat(120), mark: "y".repeat(40) }, makeCounter())).toBe(true);
    expect(isWorth({ text: "x".repeat(116), mark: "y".repeat(40) }, makeCounter())).toBe(false);
    expect(isWorth({ text: "x".repeat(60), mark: "y".repeat(40), minMarks: 1.5 }, makeCounter())).toBe(true);
  });
});
