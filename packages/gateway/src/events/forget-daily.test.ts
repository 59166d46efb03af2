import { parseConfig } from "@longhaul/settings";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { forgetDaily } from "./forget-daily.ts";

const DAY_MS = 86_400_000;
beforeEach(() => void vi.useFakeTimers({ now: 100 * DAY_MS }));
afterEach(() => void vi.useRealTimers());

it("forgets at once and then daily, by the settings of the day, until it is stopped", async () => {
  const forgotten: unknown[] = [];
  let keepDays = 30;
  const stop = forgetDaily({
    events: { prune: async (beforeMs) => forgotten.push(["events", beforeMs / DAY_MS]) },
    contents: { prune: async (beforeMs, bytes) => forgotten.push(["contents", beforeMs / DAY_MS, bytes]) },
    settings: () => parseConfig({ events: { keepDays }, contents: { maxMiB: 1 } }, {}),
    nowMs: Date.now,
    warn: () => {},
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(forgotten).toEqual([
    ["events", 70],
    ["contents", 93, 1_048_576],
  ]);
  keepDays = 1;
  await vi.advanceTimersByTimeAsync(DAY_MS);
  expect(forgotten[2]).toEqual(["events", 100]);
  stop();
  await vi.advanceTimersByTimeAsync(3 * DAY_MS);
  expect(forgotten).toHaveLength(4);
});

it("tells of a store that fails, without its words", async () => {
  const warnings: string[] = [];
  const stop = forgetDaily({
    events: { prune: () => Promise.reject(new Error("hush")) },
    contents: { prune: () => Promise.resolve(0) },
    settings: () => parseConfig({}, {}),
    nowMs: Date.now,
    warn: (what) => void warnings.push(what),
  });
  await vi.advanceTimersByTimeAsync(0);
  stop();
  expect(warnings).toEqual([expect.stringContaining("could not be forgotten")]);
  expect(warnings.join()).not.toContain("hush");
});

it("tells nobody of a store that was closed because it was stopped", async () => {
  const warnings: string[] = [];
  const stop = forgetDaily({
    events: { prune: () => Promise.reject(new Error("closed")) },
    contents: { prune: () => Promise.resolve(0) },
    settings: () => parseConfig({}, {}),
    nowMs: Date.now,
    warn: (what) => void warnings.push(what),
  });
  stop();
  await vi.advanceTimersByTimeAsync(0);
  expect(warnings).toEqual([]);
});
