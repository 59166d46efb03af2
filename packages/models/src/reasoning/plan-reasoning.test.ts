import { EFFORTS, type Reasoning } from "@longhaul/conversation/advanced";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findModel } from "../catalog/find-model.ts";
import { loadCatalog } from "../catalog/load-catalog.ts";
import { budgetRange, describeReasoning, fitAnswer, planReasoning } from "./plan-reasoning.ts";
import { parseReasoning, type RequestedReasoning } from "./requested-reasoning.ts";

const catalog = loadCatalog();
const modelOf = (name: string) => findModel(catalog, name).model;

function plan(name: string, text: string, maxOutputTokens?: number) {
  const requested = parseReasoning(text);
  if (requested === undefined) throw new Error(`${text} is not valid reasoning`);
  return planReasoning({ model: modelOf(name), requested: requested, maxOutputTokens });
}

it.each<[string, string, Reasoning | undefined]>([
  ["claude-opus-4", "4k", { mode: "budget", budgetTokens: 4_096 }],
  ["claude-opus-4", "100", { mode: "budget", budgetTokens: 1_024 }],
  ["claude-opus-4", "100k", { mode: "budget", budgetTokens: 16_000 }],
  ["claude-opus-4", "0", { mode: "budget", budgetTokens: 1_024 }],
  ["claude-opus-4", "high", { mode: "budget", budgetTokens: 16_000 }],
  ["claude-opus-4", "max", { mode: "budget", budgetTokens: 16_000 }],
  ["claude-opus-4", "minimal", { mode: "budget", budgetTokens: 1_024 }],
  ["claude-opus-4", "auto", { mode: "budget", budgetTokens: 8_192 }],
  ["claude-opus-4", "none", { mode: "off" }],
  ["claude-opus-4-5", "xhigh", { mode: "budget", budgetTokens: 16_000, effort: "high" }],
  ["claude-opus-4-6", "4k", { mode: "budget", budgetTokens: 4_096 }],
  ["claude-opus-4-6", "xhigh", { mode: "adaptive", effort: "max" }],
  ["claude-opus-4-7", "4k", { mode: "adaptive", effort: "medium" }],
  ["claude-opus-4-7", "minimal", { mode: "adaptive", effort: "low" }],
  ["claude-fable-5", "none", { mode: "adaptive", effort: "low" }],
  ["claude-opus-5", "none", { mode: "off" }],
  ["claude-opus-5", "auto", { mode: "adaptive" }],
  ["o4-mini", "high", { mode: "effort", effort: "high" }],
  ["o4-mini", "xhigh", { mode: "effort", effort: "high" }],
  ["o4-mini", "none", { mode: "effort", effort: "low" }],
  ["o4-mini", "4k", { mode: "effort", effort: "medium" }],
  ["gpt-5.2", "none", { mode: "off" }],
  ["gpt-5.2", "0", { mode: "off" }],
  ["o1-mini", "high", undefined],
  ["gpt-4o", "high", undefined],
  ["gemini-2.5-flash", "4k", { mode: "budget", budgetTokens: 4_096 }],
  ["gemini-2.5-flash", "-5", { mode: "off" }],
  ["gemini-2.5-flash", "0", { mode: "off" }],
  ["gemini-2.5-flash", "100k", { mode: "budget", budgetTokens: 24_576 }],
  ["gemini-2.5-flash", "auto", { mode: "adaptive" }],
  ["gemini-2.5-flash-lite", "5", { mode: "budget", budgetTokens: 512 }],
  ["gemini-2.5-pro", "-5", { mode: "budget", budgetTokens: 128 }],
  ["gemini-2.5-pro", "none", { mode: "budget", budgetTokens: 128 }],
  ["gemini-2.5-pro", "max", { mode: "budget", budgetTokens: 24_576 }],
  ["gemini-3.5-flash", "high", { mode: "effort", effort: "high" }],
  ["gemini-3.5-flash", "max", { mode: "effort", effort: "high" }],
  ["gemini-3.5-flash", "4k", { mode: "effort", effort: "medium" }],
])("configures %s for %s", (name, text, reasoning) => {
  expect(plan(name, text).reasoning).toEqual(reasoning);
});

it("reports every adjustment with both values", () => {
  expect(plan("claude-opus-4", "20000").adjustments).toEqual([
    { what: "budget", from: "20000", to: "16000", why: "the model accepts budgets of 1024 to 16000 tokens" },
  ]);
  expect(plan("o4-mini", "xhigh").adjustments).toEqual([
    { what: "reasoning", from: "xhigh", to: "high", why: "the model accepts low, medium, high" },
  ]);
  expect(plan("gpt-4o", "high").adjustments).toMatchObject([{ from: "high", to: "nothing" }]);
  expect(plan("gemini-2.5-flash", "-5").adjustments).toMatchObject([{ what: "budget", from: "-5", to: "0" }]);
  expect(plan("gemini-2.5-pro", "none").adjustments).toMatchObject([
    { from: "off", to: "0 tokens", why: "the model's reasoning cannot be turned off" },
    { from: "0", to: "128", why: "the model accepts budgets of 128 to 24576 tokens" },
  ]);
});

it.each([
  ["gpt-5.2", "minimal", "the model accepts low, medium, high, xhigh"],
  ["o4-mini", "none", "the model's reasoning cannot be turned off"],
  ["o4-mini", "4k", "the model accepts effort levels, not token budgets"],
  ["gpt-5.2", "-5", "a budget cannot be negative"],
  ["gemini-2.5-flash-lite", "5", "the model accepts budgets of 0, or 512 to 24576 tokens"],
  ["claude-opus-4", "low", "the model accepts a token budget"],
])("explains why %s does not use %s", (name, text, why) => {
  expect(plan(name, text).adjustments).toMatchObject([{ why }]);
});

it.each([
  ["claude-opus-4", "4k"],
  ["o4-mini", "high"],
  ["gpt-4o", "none"],
])("adjusts nothing if %s accepts %s", (name, text) => {
  expect(plan(name, text).adjustments).toEqual([]);
});

it("limits a request's own budget only by the model's range", () => {
  const requested: RequestedReasoning = { kind: "budget", tokens: 20_000 };
  const budgets = [true, false].map(
    (isOwn) => planReasoning({ model: modelOf("claude-opus-4"), requested: requested, isOwn }).reasoning,
  );
  expect(budgets.map((reasoning) => reasoning?.budgetTokens)).toEqual([20_000, 16_000]);
});

it("limits levels and budgets by another ceiling if one is set", () => {
  const budgets = ["max", "20000", "low"].map((text) => {
    const requested = parseReasoning(text) ?? { kind: "auto" };
    return planReasoning({ model: modelOf("claude-opus-4"), requested, ceilingTokens: 18_000 }).reasoning?.budgetTokens;
  });
  expect(budgets).toEqual([18_000, 18_000, 1_024]);
});

it("raises the output limit by the budget if the client's leaves no room", () => {
  expect(plan("claude-opus-4", "4k", 4_096)).toMatchObject({
    reasoning: { budgetTokens: 4_096 },
    maxOutputTokens: 8_192,
    adjustments: [{ what: "max_tokens", from: "4096", to: "8192" }],
  });
  expect(plan("claude-opus-4", "4k", 4_097)).not.toHaveProperty("maxOutputTokens");
  const query = { model: modelOf("claude-opus-4"), requested: { kind: "effort", effort: "max" } } as const;
  expect(planReasoning({ ...query, maxOutputTokens: 20_000, isOwn: true })).toMatchObject({
    reasoning: { budgetTokens: 31_000 },
    maxOutputTokens: 32_000,
  });
});

describe("any requested reasoning for any model", () => {
  const anyModel = fc.constantFrom(...catalog.models);
  const anyReasoning: fc.Arbitrary<RequestedReasoning> = fc.oneof(
    fc.constantFrom<RequestedReasoning>({ kind: "off" }, { kind: "auto" }),
    fc.constantFrom(...EFFORTS.slice(1)).map((effort) => ({ kind: "effort" as const, effort })),
    fc.integer({ min: -10, max: 300_000 }).map((tokens) => ({ kind: "budget" as const, tokens })),
  );

  const anyLength = fc.option(fc.integer({ min: 1, max: 200_000 }), { nil: undefined });

  it("is converted to what the model accepts", () => {
    fc.assert(
      fc.property(anyModel, anyReasoning, anyLength, (model, requested, maxOutputTokens) => {
        const { reasoning } = planReasoning({ model, requested: requested, maxOutputTokens });
        const { levels, mandatory } = model.reasoning;
        if (reasoning?.effort !== undefined) expect(levels).toContain(reasoning.effort);
        if (reasoning?.mode === "off") expect(mandatory).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it("has a budget within the model's range that leaves room for an answer", () => {
    const takesBudgets = catalog.models.filter(({ reasoning }) => reasoning.minBudgetTokens !== undefined);
    fc.assert(
      fc.property(fc.constantFrom(...takesBudgets), anyReasoning, anyLength, (model, requested, most) => {
        const { reasoning, maxOutputTokens = most } = planReasoning({
          model,
          requested: requested,
          maxOutputTokens: most,
        });
        const { minBudgetTokens = 1, maxBudgetTokens = model.maxOutput } = model.reasoning;
        if (reasoning?.mode !== "budget") return;
        expect(reasoning.budgetTokens).toBeGreaterThanOrEqual(minBudgetTokens);
        expect(reasoning.budgetTokens).toBeLessThanOrEqual(maxBudgetTokens);
        expect(reasoning.budgetTokens).toBeLessThan(maxOutputTokens ?? model.maxOutput);
      }),
      { numRuns: 1_000 },
    );
  });

  it("has an adjustment for every difference", () => {
    fc.assert(
      fc.property(anyModel, anyReasoning, anyLength, (model, requested, most) => {
        const { reasoning, maxOutputTokens, adjustments } = planReasoning({
          model,
          requested: requested,
          maxOutputTokens: most,
        });
        if (requested.kind === "budget") {
          const isSame = maxOutputTokens === undefined && tokensIn(reasoning) === requested.tokens;
          expect(adjustments.length === 0).toBe(isSame);
        }
        if (requested.kind === "effort" && reasoning?.effort !== requested.effort) expect(adjustments).not.toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** The budget that an explicit number results in. */
function tokensIn(reasoning: Reasoning | undefined): number | undefined {
  return reasoning?.mode === "off" ? 0 : reasoning?.budgetTokens;
}

const model = { maxOutput: 32_000 };
const least = 1_024;

it("never goes below the model's minimum", () => {
  const small = { maxOutput: 1_500 };
  expect(fitAnswer({ budget: 4_096, least, model: small, maxOutputTokens: undefined })).toMatchObject({
    budget: least,
  });
});

it("keeps a budget that fits the output limit", () => {
  expect(fitAnswer({ budget: 4_096, least, model, maxOutputTokens: 8_000 })).toEqual({
    budget: 4_096,
    adjustments: [],
  });
  expect(fitAnswer({ budget: 4_096, least, model, maxOutputTokens: undefined })).toEqual({
    budget: 4_096,
    adjustments: [],
  });
});

it("adds the budget to the client's limit for the answer", () => {
  expect(fitAnswer({ budget: 4_096, least, model, maxOutputTokens: 100 })).toMatchObject({ maxOutputTokens: 4_196 });
  expect(fitAnswer({ budget: 4_096, least, model, maxOutputTokens: 4_096 })).toMatchObject({ maxOutputTokens: 8_192 });
  expect(fitAnswer({ budget: 4_096, least, model, maxOutputTokens: 0 })).toMatchObject({ maxOutputTokens: 4_097 });
});

it("lowers the budget to the model's maximum output", () => {
  expect(fitAnswer({ budget: 40_000, least, model, maxOutputTokens: 20_000 })).toEqual({
    budget: 31_000,
    maxOutputTokens: 32_000,
    adjustments: [
      { what: "budget", from: "40000", to: "31000", why: "the model's maximum output is 32000 tokens" },
      { what: "max_tokens", from: "20000", to: "32000", why: "31000 tokens of reasoning count as output" },
    ],
  });
});

it.each([
  ["claude-opus-4", true, { min: 1_024, max: 16_000, least: 1_024 }],
  ["claude-opus-4", false, { min: 1_024, max: 32_000, least: 1_024 }],
  ["gemini-2.5-flash", true, { min: 0, max: 24_576, least: 1 }],
  ["gemini-2.5-pro", true, { min: 128, max: 24_576, least: 128 }],
  ["gemini-2.5-pro", false, { min: 128, max: 32_768, least: 128 }],
])("is for %s (typed: %s) %j", (name, isTyped, range) => {
  expect(budgetRange(findModel(catalog, name).model, isTyped)).toEqual(range);
});

it.each([
  ["gpt-4o", "it does not support reasoning"],
  ["o4-mini", "it accepts one of low, medium, high; a number is converted to a level"],
  ["o1-mini", "it accepts neither a level nor a number"],
  [
    "claude-opus-4",
    "it accepts 1024 to 16000 tokens, as a number or with k for 1024, or one of none, minimal, low, medium, high, xhigh, max",
  ],
  [
    "gemini-2.5-pro",
    "it accepts 128 to 24576 tokens, as a number or with k for 1024, or one of minimal, low, medium, high, xhigh, max",
  ],
  [
    "claude-opus-4-6",
    "it accepts one of none, low, medium, high, max, or 1024 to 16000 tokens, as a number or with k for 1024",
  ],
])("describes %s: %s", (name, words) => {
  expect(describeReasoning(findModel(catalog, name).model)).toBe(words);
});
