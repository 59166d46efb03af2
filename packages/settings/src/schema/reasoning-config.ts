import { EFFORTS } from "@longhaul/conversation";
import { z } from "zod";

const maybe = z.exactOptional;

/** How a model can be told to think; `none` is one that can't. */
export const REASONING_KINDS = ["effort", "level", "budget", "adaptive", "none"] as const;

/** Everything about reasoning that may be set at any level. */
export const reasoningSchema = z.strictObject({
  effort: maybe(z.enum(EFFORTS)).describe(
    "How hard models think where neither the model's name nor the request says so; `none` is not at all.",
  ),
  maxTokens: maybe(z.int().nonnegative()).describe(
    "The same in tokens, for models that take a budget; with `effort` beside it, the others go by that.",
  ),
  exclude: maybe(z.boolean()).describe("Whether clients that do not say otherwise get answers without the reasoning."),
  patterns: maybe(z.record(z.string().min(1), z.enum(REASONING_KINDS))).describe(
    "Models, with `*` for anything, that are told to think otherwise than the catalog says: effort, level, budget, adaptive or none.",
  ),
});

/** What is set about reasoning. */
export type ReasoningConfig = z.output<typeof reasoningSchema>;

/** Lays narrower settings over wider ones, the narrowest last. A level and a budget say the same thing, so either of them replaces both. */
export function mergeReasoning(
  wider: ReasoningConfig,
  ...narrower: readonly (ReasoningConfig | undefined)[]
): ReasoningConfig {
  return narrower.reduce<ReasoningConfig>(overlay, wider);
}

function overlay(wider: ReasoningConfig, narrower: ReasoningConfig = {}): ReasoningConfig {
  const { effort: _, maxTokens: _tokens, ...rest } = wider;
  const saysHowMuch = narrower.effort !== undefined || narrower.maxTokens !== undefined;
  const patterns = { ...wider.patterns, ...narrower.patterns };
  return {
    ...(saysHowMuch ? rest : wider),
    ...narrower,
    ...(Object.keys(patterns).length > 0 && { patterns }),
  };
}
