import type { Reasoning } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import type { ReasoningRules } from "../codec/target.ts";
import { makeFitting, makeRequestOf } from "../testing/make-fitting.ts";
import { fitReasoning } from "./reasoning.ts";

function fit(reasoning: Reasoning, rules: ReasoningRules, maxOutputTokens = 64_000): Reasoning | undefined {
  const fitting = makeFitting({ target: { reasoning: rules } });
  const request = makeRequestOf(undefined, { reasoning, maxOutputTokens });
  const fitted = fitReasoning(request, fitting);
  expect(fitting.warnings().length).toBe(fitted === request ? 0 : 1);
  return fitted.reasoning;
}

describe("fitReasoning", () => {
  it("keeps a wish that the model understands", () => {
    expect(fit({ mode: "effort", effort: "high" }, { modes: ["effort"] })).toEqual({ mode: "effort", effort: "high" });
    expect(fit({ mode: "budget", budgetTokens: 2_000 }, { modes: ["budget"] })).toEqual({
      mode: "budget",
      budgetTokens: 2_000,
    });
  });

  it("says a level in tokens rather than leaving it to the model", () => {
    const rules = { modes: ["budget", "adaptive"] } as const;
    expect(fit({ mode: "effort", effort: "low" }, rules)).toEqual({ mode: "budget", budgetTokens: 1_024 });
  });

  it("leaves a level out where the model knows none", () => {
    const rules = { modes: ["budget"], efforts: [] } as const;
    expect(fit({ mode: "budget", budgetTokens: 2_000, effort: "high" }, rules)).toEqual({
      mode: "budget",
      budgetTokens: 2_000,
    });
  });

  it("says it in other words where the model does not", () => {
    expect(fit({ mode: "effort", effort: "high" }, { modes: ["adaptive"] })).toEqual({
      mode: "adaptive",
      effort: "high",
    });
    expect(fit({ mode: "effort", effort: "low" }, { modes: ["budget"] })).toEqual({
      mode: "budget",
      budgetTokens: 1_024,
    });
    expect(fit({ mode: "budget", budgetTokens: 8_000 }, { modes: ["effort"] })).toEqual({
      mode: "effort",
      effort: "medium",
    });
    expect(fit({ mode: "adaptive", exclude: true }, { modes: ["budget"] })).toEqual({
      mode: "budget",
      budgetTokens: 8_192,
      exclude: true,
    });
    expect(fit({ mode: "adaptive" }, { modes: ["effort"] })).toEqual({ mode: "effort" });
    expect(fit({ mode: "off" }, { modes: ["effort"], efforts: ["low", "high"] })).toEqual({
      mode: "effort",
      effort: "low",
    });
  });

  it("drops a wish that can't be said", () => {
    expect(fit({ mode: "off" }, { modes: ["adaptive"] })).toBeUndefined();
    expect(fit({ mode: "effort", effort: "high" }, { modes: [] })).toBeUndefined();
  });

  it("takes the nearest level, the higher of two", () => {
    expect(fit({ mode: "effort", effort: "xhigh" }, { modes: ["effort"], efforts: ["low", "high"] })).toMatchObject({
      effort: "high",
    });
    expect(fit({ mode: "effort", effort: "minimal" }, { modes: ["effort"], efforts: ["none", "low"] })).toMatchObject({
      effort: "low",
    });
  });

  it("keeps a budget within the model's limits and under the reply's", () => {
    const rules: ReasoningRules = { modes: ["budget"], minBudgetTokens: 1_024, maxBudgetTokens: 24_576 };
    expect(fit({ mode: "budget", budgetTokens: 10 }, rules)).toMatchObject({ budgetTokens: 1_024 });
    expect(fit({ mode: "budget", budgetTokens: 99_999 }, rules)).toMatchObject({ budgetTokens: 24_576 });
    expect(fit({ mode: "budget", budgetTokens: 20_000 }, rules, 4_000)).toMatchObject({ budgetTokens: 3_999 });
  });
});
