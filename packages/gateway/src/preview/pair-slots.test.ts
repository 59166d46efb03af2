import { answerOffline, condensing, openDraft, project, STRATEGIES } from "@longhaul/condense";
import { type Block, textBlock } from "@longhaul/conversation";
import { anyConversation, makeAssistant, makeConversation, makeUser } from "@longhaul/conversation/testing";
import { sha256 } from "@longhaul/fit";
import { makeRoughCounter } from "@longhaul/models";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksOf, type Cause, type Pair } from "./pair.ts";
import { pairSlots } from "./pair-slots.ts";
import { makeTrace } from "./trace.ts";

const counter = makeRoughCounter();

describe("pairSlots", () => {
  it.each(STRATEGIES.map(({ id }) => id))("tells every block once before and once after, whatever %s does", (id) => {
    const strategy = STRATEGIES.find((one) => one.id === id)!;
    fc.assert(
      fc.property(anyConversation(), fc.integer({ min: 10, max: 90 }), (raw, percent) => {
        fc.pre(raw.messages.length > 0);
        const budgetTokens = Math.ceil((counter.countConversation(raw) * percent) / 100);
        const trace = makeTrace();
        const limits = { windowTokens: budgetTokens, budgetTokens, targetTokens: Math.ceil(budgetTokens * 0.8) };
        const plan = { choices: [{ strategy }] as const, limits, counter, hash: sha256, onApplied: trace.take };
        const running = condensing(raw, plan);
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

it("tells what was left out before what stands for it, and what pass did that", () => {
  const raw = makeConversation([makeUser("a"), makeAssistant("b"), makeUser(["c", "d"]), makeAssistant("e")]);
  const { slots } = openDraft(raw);
  const summary = { kind: "made", from: 1, to: 2, message: makeUser("in short") } as const;
  const cut = { kind: "kept", index: 2, message: makeUser("d"), changes: [], sources: [1] } as const;
  const causeOf = (message: number, block?: number): Cause | undefined =>
    message === 1 ? { reason: "summarize", pass: "Sum" } : block === 0 ? { reason: "drop" } : undefined;
  const pairs = pairSlots({ raw, slots: [...slots.slice(0, 1), summary, cut] }, { causeOf });
  const [standIn] = pairs.flatMap(({ before, after }) => (before === undefined && after ? [after] : []));
  expect(standIn).toEqual({ message: 1, role: "user", block: textBlock("in short") });
  expect(pairs.map((pair) => [pair.before?.message, pair.after?.message, pair.standIn, pair.cause?.reason])).toEqual([
    [0, 0, undefined, "drop"],
    [1, undefined, standIn, "summarize"],
    [undefined, 1, undefined, undefined],
    [2, undefined, undefined, "drop"],
    [2, 2, undefined, undefined],
    [3, undefined, undefined, undefined],
  ]);
});

function blocksAt(pairs: readonly Pair[], side: "before" | "after"): Block[] {
  return pairs.flatMap((pair) => pair[side]?.block ?? []);
}
