import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { budgetOfEffort, EFFORTS, effortOfBudget, nearestEffort } from "./request.ts";

describe("effortOfBudget and budgetOfEffort", () => {
  it("round-trip every level", () => {
    for (const effort of EFFORTS) expect(effortOfBudget(budgetOfEffort(effort))).toBe(effort);
    expect(effortOfBudget(1_000_000)).toBe("max");
  });

  it("never map more tokens to less effort", () => {
    fc.assert(
      fc.property(fc.nat(200_000), fc.nat(200_000), (some, more) => {
        const levels = [some, some + more].map((tokens) => EFFORTS.indexOf(effortOfBudget(tokens)));
        expect(levels[0]).toBeLessThanOrEqual(levels[1] ?? 0);
      }),
    );
  });
});

describe("nearestEffort", () => {
  it("returns the nearest level, the higher one of two", () => {
    expect(nearestEffort("max", ["low", "medium", "high"])).toBe("high");
    expect(nearestEffort("none", ["minimal", "low"])).toBe("minimal");
    expect(nearestEffort("medium", ["low", "high"])).toBe("high");
    expect(nearestEffort("medium", ["low", "medium"])).toBe("medium");
  });

  it("returns the level itself if none is known", () => {
    expect(nearestEffort("xhigh", [])).toBe("xhigh");
  });
});
