import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectedCalls, paysForItself } from "./pay.ts";

const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, cacheWriteHour: 6, tiers: [] };

const MILLION = 1e6;

describe("paysForItself", () => {
  it("weighs what is saved in every call against a cache that is written anew and the summary", () => {
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

  it("pays sooner the colder the cache, the more calls, and the shorter what follows", () => {
    const gain = { savedTokens: 20_000, suffixTokens: 100_000, cacheAlive: 1, calls: 10, prices };
    expect(paysForItself(gain).pays).toBe(false);
    expect(paysForItself({ ...gain, cacheAlive: 0 }).pays).toBe(true);
    expect(paysForItself({ ...gain, calls: 200 }).pays).toBe(true);
    expect(paysForItself({ ...gain, suffixTokens: 0 }).pays).toBe(true);
    expect(paysForItself({ ...gain, suffixTokens: 0, summaryUsd: 1 }).pays).toBe(false);
  });
});

describe("expectedCalls", () => {
  it("is as many as there were, within reason", () => {
    expect([0, 10, 57, 3_000].map(expectedCalls)).toEqual([10, 10, 57, 200]);
  });
});
