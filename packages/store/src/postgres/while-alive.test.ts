import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { whileAlive } from "./while-alive.ts";

const PATIENCE = { suspectMs: 100, limitMs: 1_000 };

describe("whileAlive", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("asks for no sign of life where the answer comes soon", async () => {
    const isAlive = vi.fn(async () => true);
    expect(await whileAlive(Promise.resolve(7), { ...PATIENCE, isAlive })).toBe(7);
    await expect(whileAlive(Promise.reject(new Error("no")), { ...PATIENCE, isAlive })).rejects.toThrow("no");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isAlive).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("waits for a slow answer while there are signs of life", async () => {
    const answer = new Promise((resolve) => setTimeout(() => resolve("late"), 950));
    const waiting = whileAlive(answer, { ...PATIENCE, isAlive: async () => true });
    await vi.advanceTimersByTimeAsync(950);
    expect(await waiting).toBe("late");
  });

  it("gives up at the first sign that does not come", async () => {
    const signs = [true, true, false];
    const waiting = whileAlive(new Promise(() => {}), { ...PATIENCE, isAlive: async () => signs.shift() ?? true });
    const refused = expect(waiting).rejects.toThrow("it does not answer any more");
    await vi.advanceTimersByTimeAsync(300);
    await refused;
  });

  it("gives up on who lives and never answers", async () => {
    const waiting = whileAlive(new Promise(() => {}), { ...PATIENCE, isAlive: async () => true });
    const refused = expect(waiting).rejects.toThrow("no answer in 1 s");
    await vi.advanceTimersByTimeAsync(1_000);
    await refused;
  });
});
