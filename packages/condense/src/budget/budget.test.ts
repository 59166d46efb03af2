import { LonghaulError } from "@longhaul/conversation";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  budgetOf,
  effectiveThreshold,
  expectedCalls,
  isDue,
  limitsWithHeadroom,
  mayRunAgain,
  paysForItself,
  reserveFor,
  shouldCondense,
  type Timing,
} from "./budget.ts";

describe("budgetOf", () => {
  it("reserves the output and 100 tokens, and targets half the window or 70% of the trigger", () => {
    expect(budgetOf({ windowTokens: 200_000, reservedTokens: 20_000 })).toEqual({
      windowTokens: 200_000,
      budgetTokens: 179_900,
      triggerTokens: 160_000,
      targetTokens: 100_000,
      thresholdPercent: 100,
    });
    expect(budgetOf({ windowTokens: 100_000, reservedTokens: 8_192, thresholdPercent: 50 })).toMatchObject({
      triggerTokens: 50_000,
      targetTokens: 35_000,
    });
  });

  it("limits the target to 90% of the trigger, whatever the floor", () => {
    const budget = budgetOf({ windowTokens: 100_000, reservedTokens: 10_000, floorTokens: 99_000 });
    expect(budget.targetTokens).toBe(72_000);
  });

  it.each([
    ["a share of the window", { targetShare: 0.25 }, 25_000],
    ["tokens", { targetTokens: 12_345 }, 12_345],
    ["tokens before a share", { targetTokens: 12_345, targetShare: 0.25 }, 12_345],
    ["no less than the floor", { targetShare: 0.25, floorTokens: 30_000 }, 30_000],
    ["at most 90% of the trigger", { targetShare: 0.9 }, 72_000],
    ["at most 90% of the trigger in tokens", { targetTokens: 99_000 }, 72_000],
  ])("aims at %s if it is set", (_, target, targetTokens) => {
    expect(budgetOf({ windowTokens: 100_000, reservedTokens: 10_000, ...target }).targetTokens).toBe(targetTokens);
  });

  it.each([0, -1, Number.NaN])("rejects a window of %d", (windowTokens) => {
    const refusal = new LonghaulError("VALIDATION_ERROR", "Context limit must be positive");
    expect(() => budgetOf({ windowTokens, reservedTokens: 0 })).toThrow(refusal);
  });

  it("always puts the target below the trigger, and the trigger within the budget", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000_000 }),
        fc.nat({ max: 200_000 }),
        fc.integer({ min: 5, max: 100 }),
        (windowTokens, reservedTokens, thresholdPercent) => {
          const { triggerTokens, targetTokens, budgetTokens } = budgetOf({
            windowTokens,
            reservedTokens,
            thresholdPercent,
          });
          expect(targetTokens).toBeLessThanOrEqual(triggerTokens);
          expect(triggerTokens).toBeLessThanOrEqual(Math.max(budgetTokens, 0));
        },
      ),
    );
  });
});

describe("reserveFor", () => {
  it("reserves the reply's tokens, up to a fifth of the window or the given share", () => {
    expect([reserveFor(1_000, 100_009), reserveFor(64_000, 100_009)]).toEqual([1_000, 20_001]);
    expect(reserveFor(64_000, 100_000, 0.5)).toBe(50_000);
  });
});

describe("limitsWithHeadroom", () => {
  it("leaves headroom below the trigger, at least the target, and none if the budget is negative", () => {
    const budget = { windowTokens: 100, budgetTokens: 90, triggerTokens: 80, targetTokens: 50, thresholdPercent: 100 };
    const limits = { windowTokens: 100, limitTokens: 90, targetTokens: 50 };
    expect(limitsWithHeadroom(budget)).toEqual({ ...limits, budgetTokens: 68 });
    expect(limitsWithHeadroom({ ...budget, targetTokens: 70 })).toEqual({
      ...limits,
      targetTokens: 70,
      budgetTokens: 70,
    });
    expect(limitsWithHeadroom({ ...budget, budgetTokens: -5 })).toEqual({
      ...limits,
      budgetTokens: -5,
      limitTokens: -5,
    });
  });
});

describe("effectiveThreshold", () => {
  it.each([
    [undefined, 80],
    [-1, 80],
    [5, 5],
    [100, 100],
  ])("a profile's threshold of %s with a global 80 gives %d", (thresholdPercent, effective) => {
    const own = thresholdPercent === undefined ? {} : { thresholdPercent };
    expect(effectiveThreshold({ ...own, globalThresholdPercent: 80 })).toEqual({ thresholdPercent: effective });
  });

  it.each([4, 101, 0])("warns about %d and uses the global threshold", (thresholdPercent) => {
    expect(effectiveThreshold({ thresholdPercent, globalThresholdPercent: 80 })).toEqual({
      thresholdPercent: 80,
      warning: `the threshold of ${thresholdPercent}% is not between 5% and 100%; using the global threshold of 80%`,
    });
  });
});

describe("shouldCondense", () => {
  it.each([
    [30_000, 60_000, false],
    [30_000, 60_001, true],
    [8_192, 81_808, false],
    [8_192, 81_809, true],
  ])("with a window of 100,000 and a reserve of %d, %d tokens: %s", (reservedTokens, tokens, expected) => {
    expect(shouldCondense(tokens, budgetOf({ windowTokens: 100_000, reservedTokens }))).toBe(expected);
  });

  it("triggers exactly at the threshold", () => {
    const budget = budgetOf({ windowTokens: 100_000, reservedTokens: 1_000, thresholdPercent: 50 });
    expect([shouldCondense(49_999, budget), shouldCondense(50_000, budget)]).toEqual([false, true]);
  });
});

describe("isDue", () => {
  const yes = (): boolean => true;
  const budget = budgetOf({ windowTokens: 100_000, reservedTokens: 1_000 });
  const due = (timing: Partial<Timing>) =>
    [budget.triggerTokens, budget.triggerTokens + 1, budget.budgetTokens + 1].map((tokens) =>
      isDue(tokens, { strategy: {}, budget, asksModel: () => false, ...timing }),
    );

  it.each([
    ["is due over the budget if no model is called", {}, [false, false, true]],
    ["is due at the trigger if a model is called", { asksModel: yes }, [false, true, true]],
    ["is due at the trigger if a threshold is set", { thresholdPercent: 100 }, [false, true, true]],
    [
      "is due at the trigger if the strategy has a threshold",
      { strategy: { thresholdPercent: 100 } },
      [false, true, true],
    ],
    ["is never due for a final strategy", { strategy: { isFinal: true }, asksModel: yes }, [false, false, false]],
  ])("%s", (_, timing, expected) => {
    expect(due(timing)).toEqual(expected);
  });
});

describe("mayRunAgain", () => {
  const budget = budgetOf({ windowTokens: 100_000, reservedTokens: 10_000 });
  const good = { tokensBefore: 80_000, tokensAfter: 50_000, targetTokens: 50_000 };
  const little = { ...good, tokensAfter: 72_001, targetTokens: 75_000 };
  const over = { ...good, tokensAfter: 50_001 };

  it("returns true after a run that gained a tenth and reached its target", () => {
    expect(mayRunAgain(good, { tokens: 50_000, budget })).toBe(true);
    expect(mayRunAgain({ ...little, tokensAfter: 72_000 }, { tokens: 72_000, budget })).toBe(true);
  });

  it.each([
    ["gained little", little],
    ["ended over its target", over],
  ])("returns false after a run that %s, until the conversation has grown", (_, last) => {
    expect(mayRunAgain(last, { tokens: last.tokensAfter + 4_999, budget })).toBe(false);
    expect(mayRunAgain(last, { tokens: last.tokensAfter + 5_000, budget })).toBe(true);
  });

  it("returns true when the conversation no longer fits", () => {
    const last = { ...over, tokensAfter: 89_000 };
    expect(mayRunAgain(last, { tokens: budget.budgetTokens, budget })).toBe(false);
    expect(mayRunAgain(last, { tokens: budget.budgetTokens + 1, budget })).toBe(true);
  });

  it("stays true while the conversation grows, and allows a bounded number of runs", () => {
    const anyTokens = fc.integer({ min: 1, max: 120_000 });
    const anyRun = fc.record({ tokensBefore: anyTokens, tokensAfter: anyTokens, targetTokens: anyTokens });
    fc.assert(
      fc.property(anyRun, anyTokens, fc.nat(50_000), (last, tokens, more) => {
        if (mayRunAgain(last, { tokens, budget }))
          expect(mayRunAgain(last, { tokens: tokens + more, budget })).toBe(true);
      }),
    );
    let runs = 0;
    let last = { tokensBefore: 0, tokensAfter: 1, targetTokens: 0 };
    for (let tokens = 1; tokens <= budget.budgetTokens; tokens += 100) {
      if (!mayRunAgain(last, { tokens, budget })) continue;
      runs++;
      last = { tokensBefore: tokens, tokensAfter: tokens, targetTokens: 0 };
    }
    expect(runs).toBeLessThanOrEqual(20);
  });
});

const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, cacheWriteHour: 6, tiers: [] };

const MILLION = 1e6;

describe("paysForItself", () => {
  it("weighs the savings of every call against rewriting the cache and paying for the summary", () => {
    const { cacheWrite: w, cacheRead: r } = prices;
    const anyTokens = fc.nat(1_000_000);
    fc.assert(
      fc.property(
        anyTokens,
        anyTokens,
        fc.constantFrom(0, 0.5, 1),
        fc.integer({ min: 1, max: 200 }),
        (d, s, alive, calls) => {
          const gain = { savedTokens: d, suffixTokens: s, cacheAlive: alive, calls, prices, summaryUsd: 0.01 };
          const expected = (d * (w + r * (calls - 1)) - alive * (w - r) * (s + d)) / MILLION - 0.01;
          const { pays, savedUsd } = paysForItself(gain);
          expect(savedUsd).toBeCloseTo(expected, 8);
          expect(pays).toBe(savedUsd > 0);
        },
      ),
    );
  });

  it("pays sooner with a colder cache, more calls, and fewer tokens after the change", () => {
    const gain = { savedTokens: 20_000, suffixTokens: 100_000, cacheAlive: 1, calls: 10, prices };
    expect(paysForItself(gain).pays).toBe(false);
    expect(paysForItself({ ...gain, cacheAlive: 0 }).pays).toBe(true);
    expect(paysForItself({ ...gain, calls: 200 }).pays).toBe(true);
    expect(paysForItself({ ...gain, suffixTokens: 0 }).pays).toBe(true);
    expect(paysForItself({ ...gain, suffixTokens: 0, summaryUsd: 1 }).pays).toBe(false);
  });
});

describe("expectedCalls", () => {
  it("expects as many calls as before, within bounds", () => {
    expect([0, 10, 57, 3_000].map(expectedCalls)).toEqual([10, 10, 57, 200]);
  });
});
