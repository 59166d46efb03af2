import { describe, expect, it } from "vitest";
import { referencesPay } from "./pay.ts";

const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, cacheWriteHour: 6, tiers: [] };

describe("referencesPay", () => {
  it("counts what is saved once as new input and with every further call as a cache read", () => {
    const gain = { tokensBefore: 100_000, tokensAfter: 70_000, callsAhead: 10, prices };
    const { pays, savedTokensPerCall, savedUsd } = referencesPay(gain);
    expect({ pays, savedTokensPerCall }).toEqual({ pays: true, savedTokensPerCall: 30_000 });
    expect(savedUsd).toBeCloseTo((30_000 * 3.75 + 10 * 30_000 * 0.3) / 1e6);
  });

  it("does not pay where there is little to save", () => {
    expect(referencesPay({ tokensBefore: 100_000, tokensAfter: 97_001, callsAhead: 10 }).pays).toBe(false);
    expect(referencesPay({ tokensBefore: 1_000, tokensAfter: 501, callsAhead: 10 }).pays).toBe(false);
    expect(referencesPay({ tokensBefore: 1_000, tokensAfter: 500, callsAhead: 0 })).toEqual({
      pays: true,
      savedTokensPerCall: 500,
      savedUsd: 0,
    });
  });
});
