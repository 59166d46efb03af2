import { afterEach, expect, it, vi } from "vitest";
import { DAY_MS, everyDay, inTime, LATE, makePauses, once } from "./timing.ts";

it("pauses only after long work", async () => {
  let now = 0;
  const pauses = makePauses(() => now, 8);
  now = 7;
  expect(pauses.take()).toBeUndefined();
  now = 8;
  let hasRun = false;
  setImmediate(() => {
    hasRun = true;
  });
  await pauses.take();
  expect(hasRun).toBe(true);
  expect(pauses.take()).toBeUndefined();
});

it("computes a value once, even if it is undefined", () => {
  let made = 0;
  const value = once(() => {
    made += 1;
    return undefined;
  });
  expect([value(), value(), made]).toEqual([undefined, undefined, 1]);
});

it("returns a result that is in time", async () => {
  expect(await inTime(1_000, Promise.resolve("x"))).toBe("x");
  await expect(inTime(1_000, Promise.reject(new Error("no")))).rejects.toThrow("no");
});

it("does not wait for ever, and ignores a late rejection", async () => {
  const asked = Promise.withResolvers<string>();
  expect(await inTime(1, asked.promise)).toBe(LATE);
  asked.reject(new Error("late"));
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("runs once a day until it is stopped", () => {
  vi.useFakeTimers();
  const act = vi.fn();
  const stop = everyDay(act);
  vi.advanceTimersByTime(DAY_MS - 1);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(DAY_MS + 1);
  expect(act).toHaveBeenCalledTimes(2);
  stop();
  vi.advanceTimersByTime(3 * DAY_MS);
  expect(act).toHaveBeenCalledTimes(2);
});

it("does not keep the process alive", () => {
  const set = vi.spyOn(globalThis, "setInterval");
  const stop = everyDay(() => {});
  expect(set.mock.results[0]?.value.hasRef()).toBe(false);
  stop();
});
