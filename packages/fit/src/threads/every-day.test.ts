import { afterEach, expect, it, vi } from "vitest";
import { DAY_MS, everyDay } from "./every-day.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("acts once a day until it is stopped", () => {
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

it("keeps no process alive", () => {
  const set = vi.spyOn(globalThis, "setInterval");
  const stop = everyDay(() => {});
  expect(set.mock.results[0]?.value.hasRef()).toBe(false);
  stop();
});
