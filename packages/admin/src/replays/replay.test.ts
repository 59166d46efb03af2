import { findStrategy, limitsWithHeadroom, makeRecallMemory, planBudget } from "@longhaul/condense/advanced";
import { makeRoughCounter } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import { makeSessionReading } from "../testing/readings.ts";
import { promptsOf } from "./prompts.ts";
import { type ReplayPlan, referredTokens, replay } from "./replay.ts";

const counter = makeRoughCounter();
const PRICES = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, cacheWriteHour: 6, tiers: [] };

function makePlan(turns: number, windowTokens: number): ReplayPlan {
  const reading = makeSessionReading(turns);
  return {
    reading,
    prompts: promptsOf(reading, counter),
    counter,
    windowTokens,
    model: { prices: PRICES },
    memory: makeRecallMemory(),
  };
}

describe("replay", () => {
  it("does not change a session that fits", () => {
    const plan = makePlan(4, 1_000_000);
    const { steps, condensations } = replay(findStrategy("middle-out"), plan);
    expect(condensations).toBe(0);
    expect(steps.map(({ heldTokens }) => heldTokens)).toEqual(plan.prompts.map(({ heldTokens }) => heldTokens));
  });

  it("leaves the prompt of a log that starts with a reply as it is", () => {
    const plan = makePlan(1, 10);
    const [first] = plan.prompts;
    if (first === undefined) throw new Error("the session has no prompts");
    const empty = { ...first, call: { ...first.call, prompt: { from: 0, to: 0 } }, heldTokens: 100 };
    const { steps, condensations } = replay(findStrategy("smart"), { ...plan, prompts: [empty] });
    expect([steps, condensations]).toEqual([[{ heldTokens: 100 }], 0]);
  });

  it.each(["native", "truncation", "smart", "sandwich", "middle-out", "sliding-window", "tree-summary", "lossless"])(
    "keeps the prompts of %s within the window and reuses condensed results",
    (id) => {
      const plan = makePlan(12, 6_000);
      const { steps, condensations, misfits } = replay(findStrategy(id), plan);
      expect(Math.max(...plan.prompts.map(({ heldTokens }) => heldTokens))).toBeGreaterThan(8_000);
      expect([Math.max(...steps.map(({ heldTokens }) => heldTokens)) <= 6_000, misfits]).toEqual([true, 0]);
      expect(steps.filter(({ unchangedTokens }) => unchangedTokens !== undefined)).toHaveLength(condensations);
    },
  );

  it.each(["native", "sandwich", "middle-out", "truncation"])(
    "leaves room for further turns with %s, as the gateway does",
    (id) => {
      for (let windowTokens = 3_000; windowTokens <= 7_000; windowTokens += 250) {
        const { steps } = replay(findStrategy(id), makePlan(12, windowTokens));
        const condensed = steps.filter(({ unchangedTokens }) => unchangedTokens !== undefined);
        const budget = planBudget({ strategy: id, windowTokens });
        for (const { heldTokens } of condensed) {
          expect(heldTokens).toBeLessThanOrEqual(limitsWithHeadroom(budget).budgetTokens);
        }
      }
    },
  );

  it("counts only tokens that the previous call sent as unchanged", () => {
    const plan = makePlan(12, 6_000);
    for (const id of ["native", "truncation", "sandwich", "lossless"]) {
      const { steps } = replay(findStrategy(id), plan);
      for (const [index, { unchangedTokens = 0 }] of steps.entries()) {
        expect(unchangedTokens).toBeLessThanOrEqual(steps[index - 1]?.heldTokens ?? 0);
      }
    }
  });

  it("sends references from the first repeat on if the strategy adds them early", () => {
    const plan = makePlan(12, 1_000_000);
    const savedBy = (id: string) =>
      replay(findStrategy(id), plan).steps.map(
        ({ heldTokens }, index) => (plan.prompts[index]?.heldTokens ?? 0) - heldTokens,
      );
    expect(savedBy("truncation").every((tokens) => tokens === 0)).toBe(true);
    const saved = savedBy("lossless");
    expect(saved[0]).toBe(0);
    expect(saved.at(-1)).toBeGreaterThan(2_000);
    expect(saved.toSorted((one, other) => one - other)).toEqual(saved);
  });

  it("changes nothing if the strategy changes nothing", () => {
    const plan = makePlan(12, 6_000);
    const { steps, condensations } = replay(findStrategy("full-history"), plan);
    expect([condensations, steps.at(-1)]).toEqual([0, { heldTokens: plan.prompts.at(-1)?.heldTokens }]);
  });

  it("charges only for summaries", () => {
    const plan = makePlan(12, 6_000);
    expect(replay(findStrategy("native"), plan).summaryCostUsd).toBeGreaterThan(0);
    expect(replay(findStrategy("native"), { ...plan, model: {} }).summaryCostUsd).toBe(0);
    expect(replay(findStrategy("middle-out"), plan).summaryCostUsd).toBe(0);
  });

  it("starts over after the client compacted the conversation", () => {
    const plan = makePlan(12, 6_000);
    const last = plan.prompts.at(-1)!;
    const prompts = [...plan.prompts, { ...last, heldTokens: 500, continues: false }];
    expect(replay(findStrategy("middle-out"), { ...plan, prompts }).steps.at(-1)).toEqual({ heldTokens: 500 });
  });

  it("measures how much of the content used next is still present", () => {
    const { recall } = replay(findStrategy("native"), makePlan(12, 6_000));
    expect(recall.references.of).toBeGreaterThan(0);
    expect(recall.references.hit).toBeLessThanOrEqual(recall.references.of);
  });
});

describe("referred tokens", () => {
  const counter = makeRoughCounter();

  describe("referredTokens", () => {
    it("saves nothing at first and more with every repeat", () => {
      const reading = makeSessionReading(8);
      const prompts = promptsOf(reading, counter);
      const saved = referredTokens({ reading, prompts, counter });
      expect(saved).toHaveLength(prompts.length);
      expect(saved[0]).toBe(0);
      expect(saved).toEqual(saved.toSorted((a, b) => a - b));
      expect(saved.at(-1)).toBeGreaterThan(0.3 * (prompts.at(-1)?.heldTokens ?? 0));
    });

    it("starts over if a prompt does not extend the previous one", () => {
      const reading = makeSessionReading(4);
      const calls = reading.calls.map((call, index) =>
        index < 6 ? call : { ...call, prompt: { from: 12, to: call.prompt.to } },
      );
      const parted = { ...reading, calls };
      expect(referredTokens({ reading: parted, prompts: promptsOf(parted, counter), counter }).at(6)).toBe(0);
    });
  });
});
