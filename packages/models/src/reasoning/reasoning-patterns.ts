import { type Effort, table } from "@longhaul/conversation/advanced";
import type { Model } from "../catalog/model.ts";
import { compileGlob } from "../catalog/rule.ts";

/** How a model's reasoning is configured: see `Model.reasoning.kind`. */
export type ReasoningKind = Model["reasoning"]["kind"];

/** Kinds of reasoning by model name pattern, with `*` as a wildcard. */
export type ReasoningPatterns = Readonly<Record<string, ReasoningKind>>;

const UP_TO_HIGH: readonly Effort[] = ["none", "low", "medium", "high"];

/** Assumptions about a model if only its kind is known. */
const ASSUMED: Readonly<
  Record<ReasoningKind, Pick<Model["reasoning"], "levels" | "thinkingTypes" | "minBudgetTokens">>
> = table({
  none: { levels: [], thinkingTypes: [] },
  effort: { levels: UP_TO_HIGH, thinkingTypes: [] },
  level: { levels: UP_TO_HIGH, thinkingTypes: [] },
  budget: { levels: ["none"], thinkingTypes: ["enabled", "disabled"], minBudgetTokens: 1_024 },
  adaptive: { levels: UP_TO_HIGH, thinkingTypes: ["adaptive", "disabled"] },
});

/** Returns the model with the reasoning kind of the last matching pattern; its own facts are kept if the catalog agrees. */
export function applyPatterns(model: Model, patterns: ReasoningPatterns): Model {
  const kind = Object.entries(patterns).findLast(([pattern]) => compileGlob(pattern)(model))?.[1];
  if (kind === undefined || kind === model.reasoning.kind) return model;
  const { onByDefault } = model.reasoning;
  const facts = { kind, onByDefault: onByDefault && kind !== "none", mandatory: false, alwaysOnAt: [] };
  return { ...model, reasoning: { ...facts, ...ASSUMED[kind] } };
}

/** Whether a pattern matches a model name. */
export function matchesPattern(name: string, patterns: ReasoningPatterns): boolean {
  const subject = { platform: "other", id: name, name };
  return Object.keys(patterns).some((pattern) => compileGlob(pattern)(subject));
}

/** Returns the model restricted to effort levels: servers that imitate OpenAI's chat completions have no field for budgets. */
export function withLevelsOnly(model: Model): Model {
  const { kind, levels } = model.reasoning;
  if (kind === "none" || kind === "effort") return model;
  const known = levels.some((level) => level !== "none") ? levels : UP_TO_HIGH;
  return { ...model, reasoning: { ...model.reasoning, kind: "effort", levels: known, thinkingTypes: [] } };
}
