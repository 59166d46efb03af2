import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { closing } from "./closing.ts";

describe("closing", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("waits for what ends, well or not", async () => {
    await closing(Promise.resolve());
    await closing(Promise.reject(new Error("gone already")));
    expect(vi.getTimerCount()).toBe(0);
  });

  it("leaves alone what does not end", async () => {
    const left = closing(new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(left).resolves.toBeUndefined();
  });
});
