import { describe, expect, it } from "vitest";
import { makeRetryBudget, retryDelayMs } from "./retry.ts";

describe("retryDelayMs", () => {
  it.each([
    [{ "retry-after": "2" }, 2_000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after-ms": "350", "retry-after": "9" }, 350],
    [{ "retry-after": "60" }, undefined],
    [{ "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }, 500],
    [{}, 500],
  ])("after %o waits %s ms", (headers, expected) => {
    expect(retryDelayMs(0, headers, () => 1)).toBe(expected);
  });

  it("waits longer each time, up to five seconds, and a random part of that", () => {
    expect([0, 1, 2, 3, 9].map((tries) => retryDelayMs(tries, {}, () => 1))).toEqual([500, 1_000, 2_000, 4_000, 5_000]);
    expect(retryDelayMs(3, {}, () => 0.25)).toBe(1_000);
  });
});

describe("a retry budget", () => {
  it("allows a few at the start, then one for every five requests, and saves no more than ten", () => {
    const budget = makeRetryBudget();
    expect([1, 2, 3, 4].map(() => budget.spend())).toEqual([true, true, true, false]);
    for (let request = 0; request < 5; request++) budget.earn();
    expect([budget.spend(), budget.spend()]).toEqual([true, false]);
    for (let request = 0; request < 1_000; request++) budget.earn();
    expect(Array.from({ length: 12 }, () => budget.spend()).filter(Boolean)).toHaveLength(10);
  });
});
