import { answerOffline, condensing, project, STRATEGIES } from "@longhaul/condense";
import type { Block } from "@longhaul/conversation";
import { anyConversation } from "@longhaul/conversation/testing";
import { makeRoughCounter } from "@longhaul/models";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../known-messages.ts";
import { blocksOf, type Pair } from "./pair.ts";
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

function blocksAt(pairs: readonly Pair[], side: "before" | "after"): Block[] {
  return pairs.flatMap((pair) => pair[side]?.block ?? []);
}
