import {
  anyConversation,
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { makeView } from "../contract/view.ts";
import { openDraft } from "../edits/draft.ts";
import { type Answer, type Ask, asksIn, type Edit } from "../edits/edit.ts";
import { violations } from "../engine/invariants.ts";
import { apply } from "../rewrite/apply.ts";
import { summaryNote } from "../summaries/ranges.ts";
import { makeContext, makeCounter, makeTestView } from "../testing/context.ts";
import type { Fact } from "./fact.ts";
import { FACTS_HEADING, keepFacts, knownIn, linesFor, restoredFactsIn, withLines } from "./facts.ts";

const PADDING = "Words that carry nothing of value and take some room. ".repeat(60);
const SESSION = makeConversation([
  makeUser("The task."),
  makeUser("Never touch src/api.ts while you work. The report page is slow."),
  makeAssistant(["I read the page first.", makeToolCall("a", { input: { path: "src/page.tsx" } })]),
  makeUser(makeToolResult("a", PADDING)),
  makeAssistant("The time goes into buildTable, which runs 480 times.\n- [ ] measure it again"),
  makeUser(PADDING),
  makeAssistant("On with src/page.tsx now."),
  makeUser("Next?"),
]);
const TALK = "So far the page was looked at and found to be slow in one of its parts, which was measured. ".repeat(12);

function summarize(from: number, to: number, messages = SESSION.messages.slice(from, to)): Edit[] {
  const ask: Ask = { kind: "ask", messages, range: { from, to }, instructions: "", maxTokens: 400, expectedTokens: 99 };
  return [{ kind: "replace", from, to, with: [summaryNote(ask)], reason: "summarize" }];
}

const check = (answer: Answer, edits = summarize(1, 6), budgetTokens = 4_000) =>
  keepFacts(edits, [answer], makeTestView(SESSION, budgetTokens));
const checkSummary = (text: string, ...given: [Edit[]?, number?]) => check({ kind: "text", text }, ...given);

/** A chat full of facts. */
const anyTalk = fc.array(fc.nat(99), { minLength: 4, maxLength: 12 }).map((serials) =>
  makeConversation(
    serials.map((serial, index) => {
      const text = `Never touch src/part-${serial}.ts in this work. ${"Words that say little. ".repeat(serial)}`;
      return index % 2 === 0 ? makeUser(text) : makeAssistant(text);
    }),
  ),
);

describe("keepFacts", () => {
  it("restores important missing facts, each in its line", () => {
    const { answers, facts } = checkSummary(TALK);
    expect(facts?.putBack).toEqual([
      "Never touch src/api.ts while you work.",
      "The time goes into buildTable, which runs 480 times.",
      "[ ] measure it again",
    ]);
    expect(answers).toMatchObject([{ text: `${TALK.trim()}\n\n${FACTS_HEADING}\n- ${facts?.putBack.join("\n- ")}` }]);
  });

  it("counts the facts in the summary and elsewhere in the conversation", () => {
    const summary = `${TALK} The user never wants src/api.ts touched during the work. buildTable runs 480 times, so measure it again.`;
    expect(checkSummary(summary).facts).toEqual({ found: 6, retainedBySummary: 6, putBack: [] });
    expect(checkSummary(TALK).facts).toMatchObject({ found: 6, retainedBySummary: 1 });
  });

  it("stays within a quarter of the summary", () => {
    const { answers } = checkSummary("It is slow. ".repeat(10));
    expect(answers).toEqual([{ kind: "text", text: "It is slow. ".repeat(10) }]);
  });

  it("does not miss a target that would have been reached", () => {
    const view = makeTestView(SESSION, 4_000);
    const edits = summarize(1, 6);
    const plain = apply(openDraft(SESSION), edits, { answers: [{ kind: "text", text: TALK }], hash: String });
    const tight = Math.ceil((view.counter.countConversation(plain.conversation) + 4) / 0.75);
    expect(checkSummary(TALK, edits, tight).facts?.putBack).toEqual([]);
  });

  it("checks only removed messages, not others shown to the summarizer", () => {
    const edits = summarize(2, 6, SESSION.messages.slice(0, 6));
    expect(checkSummary(TALK, edits).facts?.putBack).not.toContain("Never touch src/api.ts while you work.");
  });

  it("leaves answers that are not summaries of messages unchanged", () => {
    const compaction: Answer = { kind: "compaction", block: { type: "compaction", text: "x" } };
    expect(check(compaction)).toEqual({ answers: [compaction] });
    const failed: Answer = { kind: "failed", why: "down" };
    expect(check(failed)).toEqual({ answers: [failed] });
    const ask: Ask = { kind: "ask", messages: [makeUser("x")], instructions: "", maxTokens: 9, expectedTokens: 9 };
    const splice: Edit[] = [
      {
        kind: "splice",
        at: { message: 3, block: 0, path: [0] },
        splices: [{ from: 0, to: 99, text: ask }],
        reason: "summarize",
      },
    ];
    expect(checkSummary(TALK, splice)).toEqual({ answers: [{ kind: "text", text: TALK }] });
  });

  it("keeps the facts of an earlier summary", () => {
    const [edit] = summarize(1, 6);
    const [ask] = asksIn([edit!]);
    const carried = { ...ask!, previous: "The server listens on port 8443 behind the proxy." };
    const edits: Edit[] = [{ kind: "replace", from: 1, to: 6, with: [summaryNote(carried)], reason: "summarize" }];
    expect(checkSummary(TALK, edits).facts?.putBack).toContain("The server listens on port 8443 behind the proxy.");
  });

  it("never breaks a valid plan, and is deterministic", () => {
    const cases = fc.record({
      conversation: fc.oneof(anyConversation({ maxTurns: 6 }), anyTalk),
      bounds: fc.tuple(fc.nat(12), fc.nat(12)),
      words: fc.integer({ min: 1, max: 300 }),
      budgetTokens: fc.integer({ min: 50, max: 1_200 }),
    });
    fc.assert(
      fc.property(cases, ({ conversation, bounds, words, budgetTokens }) => {
        const context = makeContext(budgetTokens);
        const draft = openDraft(conversation);
        const before = { draft, view: makeView(draft, context) };
        const [from, to] = bounds.map((bound) => Math.min(bound, conversation.messages.length)).sort((a, b) => a - b);
        const edits = summarize(from!, to!, conversation.messages.slice(from, to));
        const plain: Answer[] = [{ kind: "text", text: "word ".repeat(words) }];
        const checked = keepFacts(edits, plain, before.view);
        expect(keepFacts(edits, plain, before.view)).toEqual(checked);
        const after = (answers: readonly Answer[]) => apply(draft, edits, { answers, hash: context.hash });
        const tokens = (answers: readonly Answer[]) => context.counter.countConversation(after(answers).conversation);
        if (violations(before, after(plain)).length === 0)
          expect(violations(before, after(checked.answers))).toEqual([]);
        const reached = (limit: number) => tokens(plain) > limit || tokens(checked.answers) <= limit;
        expect([reached(context.limits.targetTokens), reached(budgetTokens)]).toEqual([true, true]);
      }),
    );
  });
});

const term = (words: string): Fact => ({ kind: "term", words, line: words, weight: 1, order: 0 });
const sentence = (words: string): Fact => ({ ...term(words), kind: "sentence" });
const kept = decompose([
  makeUser("Never touch the tests."),
  makeAssistant(makeToolCall("a", { input: { path: "src/kept.ts" } })),
  makeUser(makeToolResult("a", "export const somethingKept = 8080;\nAlways answer in French.")),
]).contents;
const isKnown = knownIn(["The change is in filter.ts; dependencies may not be added."], kept);

describe("knownIn", () => {
  it.each([
    ["knows a term in the summary by the last part of its path", term("src/reports/filter.ts"), true],
    ["knows a term in a kept argument", term("src/kept.ts"), true],
    ["knows a term in a kept result", term("somethingKept"), true],
    ["does not know a term that occurs nowhere", term("src/gone.ts"), false],
    ["knows a kept sentence", sentence("Never touch the tests."), true],
    ["knows a sentence that the summary rephrases", sentence("May dependencies be added?"), true],
    ["does not know a sentence only in a tool result", sentence("Always answer in French."), false],
    ["does not know a sentence that occurs nowhere", sentence("Use tabs in every file."), false],
  ])("%s", (_, given, expected) => {
    expect(isKnown(given)).toBe(expected);
  });
});

const counter = makeCounter();
const fact = (words: string, line: string, weight: number, order: number): Fact => ({
  ...term(words),
  line,
  weight,
  order,
});

describe("linesFor", () => {
  const facts = [
    fact("src/a.ts", "The bug is in src/a.ts all along.", 1, 0),
    fact("src/b.ts", "The test is in src/b.ts as ever.", 5, 2),
    fact("src/c.ts", "The page is in src/c.ts it seems.", 3, 1),
  ];

  it("chooses the most important facts that fit, in their original order", () => {
    const line = counter.countText("\n- The test is in src/b.ts as ever.") + 2;
    const heading = counter.countText(`\n\n${FACTS_HEADING}`);
    expect(linesFor(facts, heading + 2 * line, counter)).toEqual([facts[2]!.line, facts[1]!.line]);
    expect(linesFor(facts, heading + 1, counter)).toEqual([]);
    expect(linesFor(facts, 0, counter)).toEqual([]);
  });

  it("returns a line with two facts once", () => {
    const line = "Both src/a.ts and src/b.ts are wrong.";
    expect(
      linesFor([fact("src/a.ts", line, 2, 0), fact("src/b.ts", "In src/b.ts as was said.", 1, 0)], 500, counter),
    ).toEqual([line]);
  });

  it("shortens a long line to the part with the fact", () => {
    const line = `${"before it ".repeat(60)}src/a.ts ${"and after ".repeat(60)}`;
    const [shown = ""] = linesFor([fact("src/a.ts", line, 1, 0)], 500, counter);
    expect(shown).toMatch(/^… .*it src\/a\.ts and .* …$/);
    expect(shown.length).toBeLessThan(220);
  });
});

describe("withLines", () => {
  it("lists the lines below the summary", () => {
    expect(withLines("So far. ", ["one", "two"])).toBe(`So far.\n\n${FACTS_HEADING}\n- one\n- two`);
    expect(withLines("So far. ", [])).toBe("So far. ");
  });
});

describe("restoredFactsIn", () => {
  it("reads the restored lines, whatever surrounds them", () => {
    const text = withLines("So far.", ["one", "- two"]);
    expect(restoredFactsIn(text)).toEqual(["one", "- two"]);
    expect(restoredFactsIn(`<summary>\n${text}\n\nGo on from here.`)).toEqual(["one", "- two"]);
  });

  it("returns nothing if nothing was restored", () => {
    expect(restoredFactsIn("So far.\n- one")).toEqual([]);
    expect(restoredFactsIn(`${FACTS_HEADING}\nnothing`)).toEqual([]);
  });
});
