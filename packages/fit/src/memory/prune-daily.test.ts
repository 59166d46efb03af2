import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { pruneDaily } from "./prune-daily.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

beforeEach(() => void vi.useFakeTimers({ now: 100 * DAY_MS }));
afterEach(() => void vi.useRealTimers());

it("prunes epochs unused for 30 days, epochs over 1 GiB, and expired leases: at once and then daily until it is stopped", async () => {
  const pruned: number[] = [];
  const freed: number[] = [];
  const outdated: number[] = [];
  const epochs = {
    async prune(unusedSinceMs: number, maxBytes: number) {
      expect(maxBytes).toBe(1_073_741_824);
      return pruned.push(unusedSinceMs);
    },
  };
  const fronts = {
    prune: async (storedBeforeMs: number, maxBytes: number) => outdated.push(storedBeforeMs / maxBytes),
  };
  const leases = { prune: async (nowMs: number) => freed.push(nowMs) };
  const stop = await pruneDaily({ epochs, fronts, leases }, Date.now);
  expect(pruned).toEqual([70 * DAY_MS]);
  await vi.advanceTimersByTimeAsync(2 * DAY_MS);
  expect(pruned).toEqual([70 * DAY_MS, 71 * DAY_MS, 72 * DAY_MS]);
  expect(freed).toEqual([99 * DAY_MS, 100 * DAY_MS, 101 * DAY_MS]);
  expect(outdated).toEqual([93, 94, 95].map((days) => (days * DAY_MS) / 2 ** 28));
  stop();
  await vi.advanceTimersByTimeAsync(2 * DAY_MS);
  expect(pruned).toHaveLength(3);
});
