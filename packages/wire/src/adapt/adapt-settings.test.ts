import type { Reasoning, Request } from "@longhaul/conversation/advanced";
import { describe, expect, it } from "vitest";
import type { ReasoningRules } from "../codec/rules.ts";
import { makeContext, makeRequestOf, type TestContext } from "../testing/make-context.ts";
import { adaptReasoning, adaptSettings } from "./adapt-settings.ts";

function adapt(fields: Partial<Request>, context: TestContext): Omit<Request, "conversation"> {
  const { conversation: _, ...rest } = adaptSettings(makeRequestOf(undefined, fields), context);
  return rest;
}

const PLAIN = { model: "m", stream: false, sampling: {} };

describe("adaptSettings", () => {
  it("returns the identical request if the destination accepts everything", () => {
    const request = makeRequestOf(undefined, { sampling: { temperature: 0, topK: 5 }, maxOutputTokens: 10, user: "u" });
    expect(adaptSettings(request, makeContext())).toBe(request);
  });

  it("uses the destination's model name", () => {
    expect(adapt({}, makeContext({ destination: { model: "claude-x" } }))).toEqual({ ...PLAIN, model: "claude-x" });
  });

  it("drops parameters that the model rejects or the format lacks", () => {
    const context = makeContext({ destination: { rejects: ["temperature", "topP"] } });
    expect(adapt({ sampling: { temperature: 0.2, topP: 0.9, topK: 3, seed: 1 } }, context)).toEqual({
      ...PLAIN,
      sampling: { topK: 3 },
    });
    expect(context.warnings().map(({ feature, message }) => [feature, message])).toEqual([
      ["sampling.temperature", "the model rejects it"],
      ["sampling.topP", "the model rejects it"],
      ["sampling.seed", "anthropic-messages does not support it"],
    ]);
  });

  it("sends top_k to a server that accepts it although the format has no such field", () => {
    const rules = { lacks: { "sampling.topK": "drop" } } as const;
    expect(adapt({ sampling: { topK: 3 } }, makeContext({ rules }))).toEqual(PLAIN);
    expect(adapt({ sampling: { topK: 3 } }, makeContext({ rules, destination: { topK: true } }))).toEqual({
      ...PLAIN,
      sampling: { topK: 3 },
    });
  });

  it("limits values to the allowed ranges", () => {
    const context = makeContext({
      rules: { maxStopSequences: 1, refusesBlankText: true },
      destination: { maxOutputTokens: 100 },
    });
    const sampling = { temperature: 1.7, stopSequences: ["\n", "a", "b"] };
    expect(adapt({ sampling, maxOutputTokens: 500 }, context)).toEqual({
      ...PLAIN,
      sampling: { temperature: 1, stopSequences: ["a"] },
      maxOutputTokens: 100,
    });
    expect(context.warnings().map(({ feature, action }) => [feature, action])).toEqual([
      ["sampling.temperature", "changed"],
      ["sampling.stopSequences", "changed"],
      ["sampling.stopSequences", "changed"],
      ["maxOutputTokens", "changed"],
    ]);
  });

  it("drops JSON mode, parallelToolCalls and user if the format lacks them", () => {
    const rules = { lacks: { "outputFormat.json": "drop", parallelToolCalls: "drop", user: "drop" } } as const;
    const context = makeContext({ rules });
    expect(adapt({ outputFormat: { kind: "json" }, parallelToolCalls: false, user: "u" }, context)).toEqual(PLAIN);
    expect(context.warnings().map(({ feature }) => feature)).toEqual([
      "parallelToolCalls",
      "outputFormat.json",
      "user",
    ]);
    const silent = makeContext({ rules });
    expect(adapt({ parallelToolCalls: true }, silent)).toEqual(PLAIN);
    expect(silent.warnings()).toEqual([]);
  });

  it("hashes a user id that is too long", () => {
    const context = makeContext({ rules: { maxUserChars: 64 } });
    const { user } = adapt({ user: "x".repeat(65) }, context);
    expect(user).toMatch(/^[0-9a-f]{32}$/);
    expect(context.warnings()).toMatchObject([{ feature: "user", action: "changed" }]);
  });
});

function adaptTo(reasoning: Reasoning, rules: ReasoningRules, maxOutputTokens = 64_000): Reasoning | undefined {
  const context = makeContext({ destination: { reasoning: rules } });
  const request = makeRequestOf(undefined, { reasoning, maxOutputTokens });
  const changed = adaptReasoning(request, context);
  expect(context.warnings().length).toBe(changed === request ? 0 : 1);
  return changed.reasoning;
}

describe("adaptReasoning", () => {
  it("keeps settings that the model supports", () => {
    expect(adaptTo({ mode: "effort", effort: "high" }, { modes: ["effort"] })).toEqual({
      mode: "effort",
      effort: "high",
    });
    expect(adaptTo({ mode: "budget", budgetTokens: 2_000 }, { modes: ["budget"] })).toEqual({
      mode: "budget",
      budgetTokens: 2_000,
    });
  });

  it("prefers a token budget for a level over adaptive reasoning", () => {
    const rules = { modes: ["budget", "adaptive"] } as const;
    expect(adaptTo({ mode: "effort", effort: "low" }, rules)).toEqual({ mode: "budget", budgetTokens: 1_024 });
  });

  it("drops the level if the model has none", () => {
    const rules = { modes: ["budget"], efforts: [] } as const;
    expect(adaptTo({ mode: "budget", budgetTokens: 2_000, effort: "high" }, rules)).toEqual({
      mode: "budget",
      budgetTokens: 2_000,
    });
  });

  it("converts to a mode that the model supports", () => {
    expect(adaptTo({ mode: "effort", effort: "high" }, { modes: ["adaptive"] })).toEqual({
      mode: "adaptive",
      effort: "high",
    });
    expect(adaptTo({ mode: "effort", effort: "low" }, { modes: ["budget"] })).toEqual({
      mode: "budget",
      budgetTokens: 1_024,
    });
    expect(adaptTo({ mode: "budget", budgetTokens: 8_000 }, { modes: ["effort"] })).toEqual({
      mode: "effort",
      effort: "medium",
    });
    expect(adaptTo({ mode: "adaptive", exclude: true }, { modes: ["budget"] })).toEqual({
      mode: "budget",
      budgetTokens: 8_192,
      exclude: true,
    });
    expect(adaptTo({ mode: "adaptive" }, { modes: ["effort"] })).toEqual({ mode: "effort" });
    expect(adaptTo({ mode: "off" }, { modes: ["effort"], efforts: ["low", "high"] })).toEqual({
      mode: "effort",
      effort: "low",
    });
  });

  it("drops reasoning that no supported mode can express", () => {
    expect(adaptTo({ mode: "off" }, { modes: ["adaptive"] })).toBeUndefined();
    expect(adaptTo({ mode: "effort", effort: "high" }, { modes: [] })).toBeUndefined();
  });

  it("chooses the nearest level, the higher of two", () => {
    expect(adaptTo({ mode: "effort", effort: "xhigh" }, { modes: ["effort"], efforts: ["low", "high"] })).toMatchObject(
      {
        effort: "high",
      },
    );
    expect(
      adaptTo({ mode: "effort", effort: "minimal" }, { modes: ["effort"], efforts: ["none", "low"] }),
    ).toMatchObject({
      effort: "low",
    });
  });

  it("keeps a budget within the model's limits and below the output limit", () => {
    const rules: ReasoningRules = { modes: ["budget"], minBudgetTokens: 1_024, maxBudgetTokens: 24_576 };
    expect(adaptTo({ mode: "budget", budgetTokens: 10 }, rules)).toMatchObject({ budgetTokens: 1_024 });
    expect(adaptTo({ mode: "budget", budgetTokens: 99_999 }, rules)).toMatchObject({ budgetTokens: 24_576 });
    expect(adaptTo({ mode: "budget", budgetTokens: 20_000 }, rules, 4_000)).toMatchObject({ budgetTokens: 3_999 });
  });
});
