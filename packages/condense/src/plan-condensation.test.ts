import { findModel, loadCatalog } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import { exactBudget } from "./budget/budget.ts";
import { callsModel, modelFacts, type PlanOptions, planBudget, planCondensation } from "./plan-condensation.ts";
import { PRESETS } from "./smart/presets.ts";

const options: PlanOptions = { strategy: "middle-out", windowTokens: 100_000, model: { maxOutput: 64_000 } };

describe("planBudget", () => {
  it.each<[string, Partial<PlanOptions>, number]>([
    ["the reply's limit", { replyTokens: 1_000 }, 1_000],
    ["a fifth of the window if the limit is larger", { replyTokens: 30_000 }, 20_000],
    ["the model's maximum, up to a fifth of the window", {}, 20_000],
    ["a fifth of the window for an unknown model", { model: {} }, 20_000],
    ["the share that is set", { outputShare: 0.1 }, 10_000],
    ["the tokens that are set", { reservedTokens: 50_000 }, 50_000],
    ["the whole limit of the reply if it is kept", { replyTokens: 30_000, keepsOutputLimit: true }, 30_000],
    ["a fifth of the window if there is no limit to keep", { keepsOutputLimit: true }, 20_000],
    ["thinking and an answer", { thinkingTokens: 40_000 }, 40_000],
    ["no more thinking than the reply may have", { thinkingTokens: 40_000, replyTokens: 8_500 }, 8_500],
    ["tokens that are not counted", { replyTokens: 1_000, uncountedTokens: 2_000 }, 3_000],
  ])("reserves %s", (_, fields, reserved) => {
    const { budgetTokens, triggerTokens } = planBudget({ ...options, ...fields });
    expect(budgetTokens).toBe(100_000 - reserved - 100);
    expect(triggerTokens).toBe(90_000 - reserved);
  });

  it("uses the threshold that is set, else the strategy's own", () => {
    const triggerOf = (fields: Partial<PlanOptions>) =>
      planBudget({ ...options, replyTokens: 1_000, ...fields }).triggerTokens;
    expect(triggerOf({ thresholdPercent: 50 })).toBe(50_000);
    expect(triggerOf({ strategy: "sandwich" })).toBe(70_000);
    expect(triggerOf({ strategy: "sandwich", thresholdPercent: 40 })).toBe(40_000);
  });

  it("puts the trigger at the budget if condensing is not automatic", () => {
    const late = planBudget({ ...options, isAutomatic: false, thresholdPercent: 50 });
    expect(late).toMatchObject({ budgetTokens: 79_900, triggerTokens: 79_900, thresholdPercent: 100 });
    expect(planBudget({ ...options, windowTokens: 120, replyTokens: 50, isAutomatic: false }).triggerTokens).toBe(0);
  });

  it("stays within the model's input limit, minus uncounted tokens", () => {
    const model = { maxOutput: 1_000, maxInput: 30_000 };
    expect(planBudget({ ...options, model })).toMatchObject({
      windowTokens: 100_000,
      budgetTokens: 30_000,
      triggerTokens: 30_000,
      targetTokens: 27_000,
    });
    expect(planBudget({ ...options, model, uncountedTokens: 2_000 }).budgetTokens).toBe(28_000);
  });

  it("leaves a tenth of the window for the prompt if the reply's limit is kept", () => {
    expect(planBudget({ ...options, replyTokens: 100_000, keepsOutputLimit: true }).budgetTokens).toBe(9_900);
  });

  it("aims at the target that is set", () => {
    expect(planBudget({ ...options, targetShare: 0.3 }).targetTokens).toBe(30_000);
    expect(planBudget({ ...options, targetShare: 0.3, targetTokens: 20_000 }).targetTokens).toBe(20_000);
  });

  it("aims no lower than the floor", () => {
    expect(planBudget({ ...options, floorTokens: 55_000 }).targetTokens).toBe(55_000);
  });
});

describe("planCondensation", () => {
  it("runs the strategy first and its fallbacks after it, each with its own configuration", () => {
    const configs = { sandwich: { preserveTop: 2 }, "middle-out": { startShare: 0.2 } };
    const choicesOf = (fields: Partial<PlanOptions>) =>
      planCondensation({ ...options, configs, ...fields }).choices.map(({ strategy, config }) => [strategy.id, config]);
    expect(choicesOf({ strategy: "sandwich" })).toEqual([
      ["sandwich", { preserveTop: 2 }],
      ["native", {}],
      ["middle-out", { startShare: 0.2 }],
      ["sliding-truncation", {}],
    ]);
    expect(choicesOf({ strategy: "native", fallbacks: ["native", "truncation"] })).toEqual([
      ["native", {}],
      ["truncation", {}],
    ]);
    expect(choicesOf({ strategy: "native", fallbacks: [] })).toHaveLength(1);
    expect(choicesOf({ strategy: "native" }).map(([id]) => id)).toEqual(["native", "middle-out", "sliding-truncation"]);
  });

  it("passes the prompt to strategies that summarize", () => {
    const { choices } = planCondensation({ ...options, strategy: "native", prompt: "Be brief." });
    expect(choices.map(({ config }) => config)).toEqual([{ prompt: "Be brief." }, {}, {}]);
  });

  it("uses a given budget, and the model's media limits, thinking rules and prices", () => {
    const { model } = findModel(loadCatalog(), "claude-sonnet-4-5");
    const facts = modelFacts(model);
    const plan = planCondensation({ ...options, model: facts, budget: exactBudget(5_000) });
    expect(plan.limits).toEqual({
      windowTokens: 5_000,
      targetTokens: 5_000,
      budgetTokens: 5_000,
      limitTokens: 5_000,
      media: { maxImages: 100, maxImageBytes: 5_242_880, maxImageSide: 8_000, maxBodyBytes: 33_554_432 },
    });
    expect(plan).toMatchObject({ budget: exactBudget(5_000), thinking: { binds: false }, prices: model.prices });
  });

  it.each([
    ["middle-out", "auto", false],
    ["lossless", "auto", true],
    ["lossless", "off", false],
    ["middle-out", "on", true],
  ] as const)("%s with references %s refers early: %s", (strategy, references, refersEarly) => {
    expect(planCondensation({ ...options, strategy, references }).refersEarly).toBe(refersEarly);
  });

  it.each([
    ["native", undefined, true],
    ["middle-out", undefined, false],
    ["smart", undefined, false],
    ...PRESETS.map(({ id, config }) => ["smart", config, id !== "speed"] as const),
    ["smart", { passes: [summarizing("toolResults")] }, true],
    ["smart", { passes: [summarizing("none")] }, false],
  ] as const)("%s calls a model as configured", (strategy, config, expected) => {
    expect(callsModel(planCondensation({ ...options, strategy, configs: { [strategy]: config } }))).toBe(expected);
  });

  it("rejects an unknown strategy", () => {
    expect(() => planCondensation({ ...options, strategy: "magic" })).toThrow(/unknown strategy "magic"/);
  });
});

/** A pass that keeps everything but one kind of content. */
function summarizing(summarized: string): object {
  const kinds = ["messageText", "toolParameters", "toolResults"];
  const defaults = Object.fromEntries(
    kinds.map((kind) => [kind, { operation: kind === summarized ? "summarize" : "keep" }]),
  );
  return {
    id: "one",
    name: "One",
    selection: { type: "preserve_recent" },
    mode: "individual",
    individualConfig: { defaults },
  };
}
