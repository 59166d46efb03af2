import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { budgetOfEffort, EFFORTS, effortOfBudget, nearestEffort } from "./request.ts";

describe("effortOfBudget and budgetOfEffort", () => {
  it("bring every level back", () => {
    for (const effort of EFFORTS) expect(effortOfBudget(budgetOfEffort(effort))).toBe(effort);
    expect(effortOfBudget(1_000_000)).toBe("max");
  });

  it("never give less effort for more tokens", () => {
    fc.assert(
      fc.property(fc.nat(200_000), fc.nat(200_000), (some, more) => {
        const levels = [some, some + more].map((tokens) => EFFORTS.indexOf(effortOfBudget(tokens)));
        expect(levels[0]).toBeLessThanOrEqual(levels[1] ?? 0);
      }),
    );
  });
});

describe("nearestEffort", () => {
  it("finds the nearest level, of two the higher", () => {
    expect(nearestEffort("max", ["low", "medium", "high"])).toBe("high");
    expect(nearestEffort("none", ["minimal", "low"])).toBe("minimal");
    expect(nearestEffort("medium", ["low", "high"])).toBe("high");
    expect(nearestEffort("medium", ["low", "medium"])).toBe("medium");
  });

  it("leaves a level alone where none is known", () => {
    expect(nearestEffort("xhigh", [])).toBe("xhigh");
  });
});
