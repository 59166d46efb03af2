import { findStrategy } from "@longhaul/condense";
import { describe, expect, it } from "vitest";
import { type BudgetTerms, budgetFor } from "./fitting-budget.ts";

const model = { window: 100_000, maxOutput: 64_000 };
const terms: BudgetTerms = { strategy: findStrategy("middle-out"), model };

describe("budgetFor", () => {
  it("reserves the call's own limit, else the model's, up to a fifth of the window", () => {
    expect(budgetFor({ maxOutputTokens: 1_000 }, terms).budgetTokens).toBe(100_000 - 1_000 - 100);
    expect(budgetFor({}, terms).budgetTokens).toBe(100_000 - 20_000 - 100);
    expect(budgetFor({}, { ...terms, reservedTokens: 50_000 }).budgetTokens).toBe(100_000 - 50_000 - 100);
  });

  it("keeps to a bound of the prompt that is lower than the window", () => {
    expect(
      budgetFor({ maxOutputTokens: 1_000 }, { ...terms, model: { ...model, maxInput: 30_000 } }).budgetTokens,
    ).toBe(30_000 - 100);
  });

  it("keeps free what is not counted, beside the reply and within the bound", () => {
    const more = { ...terms, uncountedTokens: 2_000 };
    expect(budgetFor({ maxOutputTokens: 1_000 }, more).budgetTokens).toBe(100_000 - 1_000 - 2_000 - 100);
    expect(budgetFor({ maxOutputTokens: 1_000 }, { ...more, model: { ...model, maxInput: 30_000 } }).budgetTokens).toBe(
      30_000 - 2_000 - 100,
    );
  });

  it("takes the window that the caller knows", () => {
    expect(budgetFor({ maxOutputTokens: 500 }, { ...terms, windowTokens: 8_000 }).budgetTokens).toBe(8_000 - 500 - 100);
  });
});
