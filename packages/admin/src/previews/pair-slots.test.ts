import {
  type AppliedPass,
  answerOffline,
  condenseInSteps,
  type Edit,
  makeDraft,
  openDraft,
  project,
  STRATEGIES,
} from "@longhaul/condense/advanced";
import { type Block, textBlock } from "@longhaul/conversation";
import { anyConversation, makeAssistant, makeConversation, makeUser } from "@longhaul/conversation/testing";
import { sha256 } from "@longhaul/fit";
import { makeRoughCounter } from "@longhaul/models";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksOf, type Cause, type Pair } from "./blocks.ts";
import { makeTrace, pairSlots } from "./pair-slots.ts";

const counter = makeRoughCounter();

describe("pairSlots", () => {
  it.each(STRATEGIES.map(({ id }) => id))("contains every block once before and once after %s", (id) => {
    const strategy = STRATEGIES.find((one) => one.id === id)!;
    fc.assert(
      fc.property(anyConversation(), fc.integer({ min: 10, max: 90 }), (raw, percent) => {
        fc.pre(raw.messages.length > 0);
        const budgetTokens = Math.ceil((counter.countConversation(raw) * percent) / 100);
        const trace = makeTrace();
        const limits = { windowTokens: budgetTokens, budgetTokens, targetTokens: Math.ceil(budgetTokens * 0.8) };
        const plan = { choices: [{ strategy }] as const, limits, counter, hash: sha256, onApplied: trace.take };
        const running = condenseInSteps(raw, plan);
        let step = running.next();
        while (step.done !== true) step = running.next(step.value.map((ask) => answerOffline(ask, counter)));
        const draft = project(raw, step.value.projection, sha256);
        const pairs = pairSlots(draft, trace);
        expect(blocksAt(pairs, "before")).toEqual(blocksOf(raw).map(({ block }) => block));
        expect(blocksAt(pairs, "after")).toEqual(blocksOf(draft.conversation).map(({ block }) => block));
      }),
      { numRuns: 20 },
    );
  });
});

it("puts removed blocks before their replacement, with the pass that removed them", () => {
  const raw = makeConversation([makeUser("a"), makeAssistant("b"), makeUser(["c", "d"]), makeAssistant("e")]);
  const { slots } = openDraft(raw);
  const summary = { kind: "made", from: 1, to: 2, message: makeUser("in short") } as const;
  const cut = { kind: "kept", index: 2, message: makeUser("d"), changes: [], sources: [1] } as const;
  const causeOf = (message: number, block?: number): Cause | undefined =>
    message === 1 ? { reason: "summarize", pass: "Sum" } : block === 0 ? { reason: "drop" } : undefined;
  const pairs = pairSlots({ raw, slots: [...slots.slice(0, 1), summary, cut] }, { causeOf });
  const [replacement] = pairs.flatMap(({ before, after }) => (before === undefined && after ? [after] : []));
  expect(replacement).toEqual({ message: 1, role: "user", block: textBlock("in short") });
  expect(
    pairs.map((pair) => [pair.before?.message, pair.after?.message, pair.replacement, pair.cause?.reason]),
  ).toEqual([
    [0, 0, undefined, "drop"],
    [1, undefined, replacement, "summarize"],
    [undefined, 1, undefined, undefined],
    [2, undefined, undefined, "drop"],
    [2, 2, undefined, undefined],
    [3, undefined, undefined, undefined],
  ]);
});

function blocksAt(pairs: readonly Pair[], side: "before" | "after"): Block[] {
  return pairs.flatMap((pair) => pair[side]?.block ?? []);
}

const raw = makeConversation([
  makeUser(["a", "b"]),
  makeAssistant("c"),
  makeUser("d"),
  makeAssistant("e"),
  makeUser("f"),
]);
const whole = openDraft(raw);
/** The same after messages 1 and 2 were summarised, and the first block of message 0 was taken away. */
const summary = { kind: "made", message: makeUser("in short"), from: 1, to: 3 } as const;
const kept = { kind: "kept", index: 0, message: makeUser("b"), changes: [], sources: [1] } as const;
const smaller = makeDraft(raw, [kept, summary, ...whole.slots.slice(3)]);

function applied(edits: readonly Edit[], before = whole): AppliedPass {
  return { pass: { id: "p", name: "Pass", plan: () => [] }, edits, before };
}

it("records the last edit of raw blocks and messages", () => {
  const trace = makeTrace();
  const at = { message: 0, block: 0, path: [] };
  trace.take(applied([{ kind: "splice", at, splices: [], reason: "truncate" }]));
  trace.take(applied([{ kind: "remove", at, reason: "suppress" }], smaller));
  trace.take(applied([{ kind: "replace", from: 1, to: 3, with: [], reason: "drop" }], smaller));
  expect(trace.causeOf(0, 0)).toEqual({ reason: "truncate", pass: "Pass" });
  expect(trace.causeOf(0, 1)).toEqual({ reason: "suppress", pass: "Pass" });
  expect([0, 1, 2, 3, 4].map((message) => trace.causeOf(message)?.reason)).toEqual([
    undefined,
    "drop",
    "drop",
    "drop",
    undefined,
  ]);
});

it("ignores edits of added messages", () => {
  const trace = makeTrace();
  trace.take(applied([{ kind: "remove", at: { message: 1, block: 0, path: [] }, reason: "suppress" }], smaller));
  expect([0, 1, 2, 3].map((message) => trace.causeOf(message, 0))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it("discards the edits of a strategy that was replaced", () => {
  const trace = makeTrace();
  trace.take(applied([{ kind: "replace", from: 0, to: 2, with: [], reason: "summarize" }]));
  trace.take(applied([{ kind: "replace", from: 2, to: 3, with: [], reason: "drop" }]));
  expect([0, 1, 2].map((message) => trace.causeOf(message)?.reason)).toEqual([undefined, undefined, "drop"]);
});
