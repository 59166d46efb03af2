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
const told = (text: string, ...given: [Edit[]?, number?]) => check({ kind: "text", text }, ...given);

/** Talk that is full of facts. */
const anyTalk = fc.array(fc.nat(99), { minLength: 4, maxLength: 12 }).map((serials) =>
  makeConversation(
    serials.map((serial, index) => {
      const text = `Never touch src/part-${serial}.ts in this work. ${"Words that say little. ".repeat(serial)}`;
      return index % 2 === 0 ? makeUser(text) : makeAssistant(text);
    }),
  ),
);

describe("keepFacts", () => {
  it("puts back what is missing and matters, each in a line that says it", () => {
    const { answers, facts } = told(TALK);
    expect(facts?.putBack).toEqual([
      "Never touch src/api.ts while you work.",
      "The time goes into buildTable, which runs 480 times.",
      "[ ] measure it again",
    ]);
    expect(answers).toMatchObject([{ text: `${TALK.trim()}\n\n${FACTS_HEADING}\n- ${facts?.putBack.join("\n- ")}` }]);
  });

  it("counts what the summary kept, and what stays elsewhere", () => {
    const summary = `${TALK} The user never wants src/api.ts touched during the work. buildTable runs 480 times, so measure it again.`;
    expect(told(summary).facts).toEqual({ found: 6, retainedBySummary: 6, putBack: [] });
    expect(told(TALK).facts).toMatchObject({ found: 6, retainedBySummary: 1 });
  });

  it("keeps within a quarter of the summary", () => {
    const { answers } = told("It is slow. ".repeat(10));
    expect(answers).toEqual([{ kind: "text", text: "It is slow. ".repeat(10) }]);
  });

  it("leaves no target missed that would have been reached", () => {
    const view = makeTestView(SESSION, 4_000);
    const edits = summarize(1, 6);
    const plain = apply(openDraft(SESSION), edits, { answers: [{ kind: "text", text: TALK }], hash: String });
    const tight = Math.ceil((view.counter.countConversation(plain.conversation) + 4) / 0.75);
    expect(told(TALK, edits, tight).facts?.putBack).toEqual([]);
  });

  it("looks only at what goes, not at what the summariser was shown besides", () => {
    const edits = summarize(2, 6, SESSION.messages.slice(0, 6));
    expect(told(TALK, edits).facts?.putBack).not.toContain("Never touch src/api.ts while you work.");
  });

  it("leaves answers alone that are no summary of messages", () => {
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
    expect(told(TALK, splice)).toEqual({ answers: [{ kind: "text", text: TALK }] });
  });

  it("hands what an earlier summary said on to the next one", () => {
    const [edit] = summarize(1, 6);
    const [ask] = asksIn([edit!]);
    const carried = { ...ask!, previous: "The server listens on port 8443 behind the proxy." };
    const edits: Edit[] = [{ kind: "replace", from: 1, to: 6, with: [summaryNote(carried)], reason: "summarize" }];
    expect(told(TALK, edits).facts?.putBack).toContain("The server listens on port 8443 behind the proxy.");
  });

  it("never breaks a plan that holds without it, and does the same every time", () => {
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
    ["a term in the summary, by the last name of its path", term("src/reports/filter.ts"), true],
    ["a term in an argument that stays", term("src/kept.ts"), true],
    ["a term in a result that stays", term("somethingKept"), true],
    ["a term that is nowhere", term("src/gone.ts"), false],
    ["a sentence that stays", sentence("Never touch the tests."), true],
    ["a sentence in other words of the summary", sentence("May dependencies be added?"), true],
    ["a sentence that only a tool says", sentence("Always answer in French."), false],
    ["a sentence that is nowhere", sentence("Use tabs in every file."), false],
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

  it("takes the weightiest that fit and tells them in the order in which they were said", () => {
    const line = counter.countText("\n- The test is in src/b.ts as ever.") + 2;
    const heading = counter.countText(`\n\n${FACTS_HEADING}`);
    expect(linesFor(facts, heading + 2 * line, counter)).toEqual([facts[2]!.line, facts[1]!.line]);
    expect(linesFor(facts, heading + 1, counter)).toEqual([]);
    expect(linesFor(facts, 0, counter)).toEqual([]);
  });

  it("says a line once that tells two facts", () => {
    const line = "Both src/a.ts and src/b.ts are wrong.";
    expect(
      linesFor([fact("src/a.ts", line, 2, 0), fact("src/b.ts", "In src/b.ts as was said.", 1, 0)], 500, counter),
    ).toEqual([line]);
  });

  it("shows the part of a long line that tells the fact", () => {
    const line = `${"before it ".repeat(60)}src/a.ts ${"and after ".repeat(60)}`;
    const [shown = ""] = linesFor([fact("src/a.ts", line, 1, 0)], 500, counter);
    expect(shown).toMatch(/^… .*it src\/a\.ts and .* …$/);
    expect(shown.length).toBeLessThan(220);
  });
});

describe("withLines", () => {
  it("lists the lines under the summary", () => {
    expect(withLines("So far. ", ["one", "two"])).toBe(`So far.\n\n${FACTS_HEADING}\n- one\n- two`);
    expect(withLines("So far. ", [])).toBe("So far. ");
  });
});

describe("putBackIn", () => {
  it("reads what was put back, whatever stands around it", () => {
    const text = withLines("So far.", ["one", "- two"]);
    expect(restoredFactsIn(text)).toEqual(["one", "- two"]);
    expect(restoredFactsIn(`<summary>\n${text}\n\nGo on from here.`)).toEqual(["one", "- two"]);
  });

  it("finds nothing where nothing was put back", () => {
    expect(restoredFactsIn("So far.\n- one")).toEqual([]);
    expect(restoredFactsIn(`${FACTS_HEADING}\nnothing`)).toEqual([]);
  });
});
