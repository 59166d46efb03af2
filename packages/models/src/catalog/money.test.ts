import { NO_USAGE, promptTokens, type Usage } from "@longhaul/conversation/advanced";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { billOf, type ChangedPrompt, savedPerCall, usageWith } from "./money.ts";
import { costOf } from "./prices.ts";

const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, cacheWriteHour: 6, tiers: [] };
const model = { prices, accounting: "exclusive" } as const;
const MILLION = 1_000_000;

const used = (fields: Partial<Usage>): Usage => ({ ...NO_USAGE, outputTokens: 500, ...fields });

function makeChange(fields: Partial<ChangedPrompt> = {}): ChangedPrompt {
  return { originalTokens: 150_000, sentTokens: 50_000, newTokens: 2_000, isWarm: true, ...fields };
}

function saved(usage: Usage, changed: ChangedPrompt, billed: Parameters<typeof billOf>[1] = model): number {
  const { costUsd, untouchedUsd } = billOf(usage, billed, changed);
  return untouchedUsd - costUsd;
}

describe("billOf", () => {
  it("bills an unchanged request as reported", () => {
    const usage = used({ cacheReadTokens: 48_000, inputTokens: 100 });
    expect(billOf(usage, model)).toEqual({ costUsd: costOf(usage, prices), untouchedUsd: costOf(usage, prices) });
  });

  it("prices the removed part as a cache read while the cache is warm", () => {
    const usage = used({ cacheReadTokens: 48_000, cacheWriteTokens: 2_000 });
    expect(saved(usage, makeChange())).toBeCloseTo((100_000 * 0.3) / MILLION, 9);
  });

  it("prices it as a cache write if the cache was cold, and as input without a cache", () => {
    const cold = makeChange({ isWarm: false });
    expect(saved(used({ cacheWriteTokens: 50_000 }), cold)).toBeCloseTo((100_000 * 3.75) / MILLION, 9);
    expect(saved(used({ inputTokens: 50_000 }), cold)).toBeCloseTo((100_000 * 3) / MILLION, 9);
    const hour = used({ cacheWriteTokens: 50_000, cacheWriteHourTokens: 50_000 });
    expect(saved(hour, cold)).toBeCloseTo((100_000 * 6) / MILLION, 9);
  });

  it("is negative if a condensation has lost the cache and not paid for it yet", () => {
    const usage = used({ cacheWriteTokens: 50_000 });
    const untouched = 148_000 * 0.3 + 2_000 * 3.75;
    expect(saved(usage, makeChange())).toBeCloseTo((untouched - 50_000 * 3.75) / MILLION, 9);
  });

  it("trusts the vendor's report of a cache that lives longer than assumed", () => {
    const usage = used({ cacheReadTokens: 48_000, cacheWriteTokens: 2_000 });
    expect(saved(usage, makeChange({ isWarm: false }))).toBeCloseTo((100_000 * 0.3) / MILLION, 9);
  });

  it("assumes no cache if the client has none, unless the vendor caches by itself", () => {
    const usage = used({ inputTokens: 50_000 });
    expect(saved(usage, makeChange())).toBeCloseTo(0.3, 9);
    expect(saved(usage, makeChange(), { prices, accounting: "inclusive" })).toBeLessThan(0.3);
  });

  it("counts the whole original, even beyond the window", () => {
    const huge = makeChange({ originalTokens: 5_000_000, isWarm: false });
    expect(saved(used({ inputTokens: 50_000 }), huge)).toBeCloseTo((4_950_000 * 3) / MILLION, 9);
  });

  it("returns 0 if the prices are unknown", () => {
    const bill = billOf(used({ inputTokens: 9 }), { accounting: "exclusive" }, makeChange());
    expect(bill).toEqual({ costUsd: 0, untouchedUsd: 0 });
  });

  it("has the same untouched cost however much was removed", () => {
    const original = 150_000;
    const untouched = [20_000, 50_000, 149_000].map((sentTokens) => {
      const usage = used({ cacheReadTokens: sentTokens - 2_000, cacheWriteTokens: 2_000 });
      return billOf(usage, model, makeChange({ originalTokens: original, sentTokens })).untouchedUsd;
    });
    for (const usd of untouched) expect(usd).toBeCloseTo(untouched[0] ?? 0, 12);
  });
});

describe("usageWith", () => {
  const count = fc.nat({ max: 300_000 });
  const anyUsage = fc.record({
    inputTokens: count,
    cacheReadTokens: count,
    cacheWriteTokens: count,
    outputTokens: count,
  });

  it("has a prompt that differs by the difference of the forms", () => {
    fc.assert(
      fc.property(
        anyUsage,
        count,
        count,
        fc.option(count, { nil: undefined }),
        (usage, sentTokens, otherTokens, newTokens) => {
          const other = usageWith(usage, { sentTokens, otherTokens, newTokens });
          expect(promptTokens(other)).toBeCloseTo(Math.max(0, promptTokens(usage) + otherTokens - sentTokens), 4);
          for (const tokens of [other.inputTokens, other.cacheReadTokens, other.cacheWriteTokens]) {
            expect(tokens).toBeGreaterThanOrEqual(-1e-6);
          }
        },
      ),
    );
  });

  it("is the same usage for the same form", () => {
    const usage = used({ cacheReadTokens: 7, inputTokens: 5 });
    expect(usageWith(usage, { sentTokens: 12, otherTokens: 12 })).toBe(usage);
  });
});

it("prices the tokens that each further call saves as a cache read", () => {
  expect(savedPerCall(MILLION, prices)).toBe(0.3);
});
