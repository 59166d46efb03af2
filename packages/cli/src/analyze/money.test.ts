import { NO_USAGE, type Usage } from "@longhaul/conversation";
import type { Prices } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import { costAsReplayed, costAsSent } from "./money.ts";
import type { SentPrompt } from "./prompts.ts";

/** A dollar for a token of each kind, times a power of ten that tells them apart. */
const PRICES: Prices = { input: 1e6, output: 0, cacheRead: 1e9, cacheWrite: 1e12, cacheWriteHour: 0, tiers: [] };
const cost = (input: number, read: number, written: number) => input + read * 1e3 + written * 1e6;

function makePrompt(heldTokens: number, usage?: Partial<Usage>, continues = true): SentPrompt {
  const call = {
    outcome: "finished" as const,
    prompt: { from: 0, to: 0 },
    ...(usage && { usage: { ...NO_USAGE, ...usage } }),
  };
  return { call, heldTokens, reportedTokens: 0, continues };
}

describe("costAsSent", () => {
  it("goes by reported usage, else by a cache that forgets nothing", () => {
    expect(costAsSent([makePrompt(9, { inputTokens: 1, cacheReadTokens: 2 })], PRICES)).toBe(cost(1, 2, 0));
    expect(
      costAsSent([makePrompt(10, undefined, false), makePrompt(15), makePrompt(4, undefined, false)], PRICES),
    ).toBe(cost(0, 0, 10) + cost(0, 10, 5) + cost(0, 0, 4));
  });
});

describe("costAsReplayed", () => {
  const used = { inputTokens: 1, cacheReadTokens: 90, cacheWriteTokens: 9 };

  it("costs the same where the same is sent", () => {
    expect(costAsReplayed([makePrompt(80, used)], [{ heldTokens: 80 }], PRICES)).toBe(cost(1, 90, 9));
  });

  it("reads less from the cache where less is sent, and writes what is new", () => {
    expect(costAsReplayed([makePrompt(80, used)], [{ heldTokens: 50 }], PRICES)).toBeCloseTo(cost(1, 60, 9));
  });

  it("writes everything anew that a condensation changed, but not what stands before the log's messages", () => {
    const steps = [{ heldTokens: 50, unchangedTokens: 10 }];
    // 100 in all, of which 20 are not in the log; 70 are sent, 20 + 10 as before, 40 anew, a tenth of them uncached.
    expect(costAsReplayed([makePrompt(80, used)], steps, PRICES)).toBeCloseTo(cost(4, 30, 36));
  });

  it("finds nothing in a cache that was cold", () => {
    const cold = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 100 };
    expect(costAsReplayed([makePrompt(80, cold)], [{ heldTokens: 50 }], PRICES)).toBeCloseTo(cost(0, 0, 70));
  });
});
