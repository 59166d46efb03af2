import { describe, expect, it } from "vitest";
import { StoreGuard, within } from "./store-guard.ts";

describe("StoreGuard", () => {
  it("pauses for five seconds after a failure and warns once until it recovers", () => {
    let nowMs = 0;
    const warnings: string[] = [];
    const warn = (what: string) => void warnings.push(what);
    const guard = new StoreGuard({ nowMs: () => nowMs, warn, consequence: "limits are not counted" });
    expect(guard.isPausing).toBe(false);
    guard.failed(new Error("away"));
    guard.failed("again");
    expect([guard.isPausing, warnings]).toEqual([true, ["limits are not counted: away"]]);
    nowMs = 5_000;
    expect(guard.isPausing).toBe(false);
    guard.recovered();
    guard.failed("later");
    expect(warnings).toHaveLength(2);
  });
});

describe("within", () => {
  it("returns what arrives in time", async () => {
    expect(await within(1_000, Promise.resolve("x"))).toBe("x");
    await expect(within(1_000, Promise.reject(new Error("no")))).rejects.toThrow("no");
  });

  it("throws store.unavailable after the deadline, whatever happens later", async () => {
    const asked = Promise.withResolvers<string>();
    await expect(within(1, asked.promise)).rejects.toMatchObject({ code: "store.unavailable" });
    asked.reject(new Error("late"));
  });
});
