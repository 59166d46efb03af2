import { NO_USAGE, promptTokens, type Usage } from "@longhaul/conversation";
import { costOf, findModel, loadCatalog, type Model } from "@longhaul/models";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Condensing, savedUsd } from "./saved-usd.ts";

const PRICES = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, cacheWriteHour: 6, tiers: [] };
const model: Model = {
  ...findModel(loadCatalog(), "claude-sonnet-4-5").model,
  prices: PRICES,
  accounting: "exclusive",
};
const MILLION = 1_000_000;

function condensing(fields: Partial<Condensing> = {}): Condensing {
  return {
    originalTokens: 150_000,
    sentTokens: 50_000,
    windowTokens: 200_000,
    warmTokens: 0,
    origin: "reused",
    ...fields,
  };
}

const used = (fields: Partial<Usage>): Usage => ({ ...NO_USAGE, outputTokens: 500, ...fields });

describe("savedUsd", () => {
  it("counts what was left out as read from the cache, where the rest was", () => {
    const usage = used({ cacheReadTokens: 48_000, cacheWriteTokens: 2_000 });
    expect(savedUsd(usage, model, condensing())).toBeCloseTo((100_000 * 0.3) / MILLION, 9);
  });

  it("counts it as written to the cache where that was cold, and as plain input where there is none", () => {
    expect(savedUsd(used({ cacheWriteTokens: 50_000 }), model, condensing())).toBeCloseTo(0.375, 9);
    expect(savedUsd(used({ inputTokens: 50_000 }), model, condensing())).toBeCloseTo(0.3, 9);
    const hour = used({ cacheWriteTokens: 50_000, cacheWriteHourTokens: 50_000 });
    expect(savedUsd(hour, model, condensing())).toBeCloseTo(0.6, 9);
  });

  it("is negative where a condensation has cost the cache and not paid for it yet", () => {
    const usage = used({ cacheWriteTokens: 50_000 });
    const saved = savedUsd(usage, model, condensing({ origin: "new", warmTokens: 149_000 }));
    expect(saved).toBeCloseTo((149_000 * 0.3 + 1_000 * 3.75 - 50_000 * 3.75) / MILLION, 9);
    expect(saved).toBeLessThan(0);
  });

  it("takes no cache for granted where the client has none", () => {
    const usage = used({ inputTokens: 50_000 });
    expect(savedUsd(usage, model, condensing({ origin: "new", warmTokens: 149_000 }))).toBeCloseTo(0.3, 9);
    const automatic: Model = { ...model, accounting: "inclusive" };
    expect(savedUsd(usage, automatic, condensing({ origin: "new", warmTokens: 149_000 }))).toBeLessThan(0.3);
  });

  it("counts no more than the window would have taken", () => {
    const usage = used({ inputTokens: 50_000 });
    const huge = condensing({ originalTokens: 5_000_000 });
    expect(savedUsd(usage, model, huge)).toBeCloseTo((150_000 * 3) / MILLION, 9);
  });

  it("says nothing where no prices are known", () => {
    const { prices: _, ...unpriced } = model;
    expect(savedUsd(used({ inputTokens: 9 }), unpriced, condensing())).toBe(0);
  });

  const count = fc.nat({ max: 300_000 });
  const anyUsage = fc.record({
    inputTokens: count,
    cacheReadTokens: count,
    cacheWriteTokens: count,
    outputTokens: count,
  });
  const anySizes = fc
    .record({ originalTokens: count, sentTokens: count, windowTokens: count, warmTokens: count })
    .map((sizes) => ({ ...sizes, sentTokens: Math.min(sizes.sentTokens, sizes.originalTokens) }));
  const goneOf = ({ originalTokens, windowTokens, sentTokens }: Condensing) =>
    Math.max(0, Math.min(originalTokens, windowTokens) - sentTokens);

  it("lies between nothing and the dearest price of what was left out, where the cache was kept", () => {
    fc.assert(
      fc.property(anyUsage, anySizes, (usage, sizes) => {
        const reused: Condensing = { ...sizes, origin: "reused" };
        const saved = savedUsd(usage, model, reused);
        const gone = goneOf(reused);
        expect(saved).toBeGreaterThanOrEqual(-1e-9);
        expect(saved).toBeLessThanOrEqual((gone * PRICES.cacheWrite) / MILLION + 1e-9);
        if (gone === 0) expect(saved).toBeCloseTo(0, 9);
      }),
    );
  });

  it("never loses more than the prompt cost, and never gains more than all of it fresh would have", () => {
    fc.assert(
      fc.property(anyUsage, anySizes, (usage, sizes) => {
        const made: Condensing = { ...sizes, origin: "new" };
        const saved = savedUsd(usage, model, made);
        const prompt = costOf({ ...usage, outputTokens: 0 }, PRICES);
        const most = (promptTokens(usage) + goneOf(made)) * PRICES.cacheWrite;
        expect(saved).toBeGreaterThanOrEqual(-prompt - 1e-9);
        expect(saved + prompt).toBeLessThanOrEqual(most / MILLION + 1e-9);
      }),
    );
  });

  it("grows with what was left out", () => {
    fc.assert(
      fc.property(anyUsage, anySizes, fc.constantFrom("new" as const, "reused" as const), (usage, sizes, origin) => {
        const less = { ...sizes, origin };
        const more = { ...less, originalTokens: less.originalTokens + 1_000 };
        expect(savedUsd(usage, model, more)).toBeGreaterThanOrEqual(savedUsd(usage, model, less) - 1e-9);
      }),
    );
  });
});
