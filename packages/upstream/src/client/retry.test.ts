import { describe, expect, it } from "vitest";
import { makeRetryBudget, retryAfterMs, retryDelayMs } from "./retry.ts";

describe("retryAfterMs", () => {
  const date = "Wed, 21 Oct 2026 07:28:00 GMT";
  const nowMs = Date.parse(date) - 5_000;

  it.each([
    [{ "retry-after": "2" }, 2_000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after-ms": "350", "retry-after": "9" }, 350],
    [{ "retry-after": date }, 5_000],
    [{ "retry-after": "Wednesday, 21-Oct-26 07:28:00 GMT" }, 5_000],
    [{ "retry-after": date, date: "Wed, 21 Oct 2026 07:27:00 GMT" }, 60_000],
    [{ "retry-after": "Wed, 21 Oct 2020 07:28:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-1" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{ "retry-after-ms": "NaN" }, undefined],
    [{}, undefined],
  ])("reads %o as %s ms", (headers, expected) => {
    expect(retryAfterMs(headers, nowMs)).toBe(expected);
  });
});

describe("retryDelayMs", () => {
  it("waits as long as the upstream asks, up to 20 seconds", () => {
    expect([0, 350, 20_000, 20_001].map((ms) => retryDelayMs(0, ms, () => 1))).toEqual([0, 350, 20_000, undefined]);
  });

  it("waits a random part of a delay that doubles up to five seconds", () => {
    const delays = [0, 1, 2, 3, 9].map((tries) => retryDelayMs(tries, undefined, () => 1));
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, 5_000]);
    expect(retryDelayMs(3, undefined, () => 0.25)).toBe(1_000);
  });
});

describe("makeRetryBudget", () => {
  it("allows a few retries at the start, then one for every five requests, and saves no more than ten", () => {
    const budget = makeRetryBudget();
    expect([1, 2, 3, 4].map(() => budget.spend())).toEqual([true, true, true, false]);
    for (let request = 0; request < 5; request++) budget.earn();
    expect([budget.spend(), budget.spend()]).toEqual([true, false]);
    for (let request = 0; request < 1_000; request++) budget.earn();
    expect(Array.from({ length: 12 }, () => budget.spend()).filter(Boolean)).toHaveLength(10);
  });
});
