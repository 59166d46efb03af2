import { EFFORTS } from "@longhaul/conversation/advanced";
import { z } from "zod";

const maybe = z.exactOptional;

/** How a model's reasoning is controlled; `none` if it cannot be. */
export const REASONING_KINDS = ["effort", "level", "budget", "adaptive", "none"] as const;

/** Reasoning settings, globally, of a profile or of a route. */
export const reasoningSchema = z.strictObject({
  effort: maybe(z.enum(EFFORTS)).describe(
    "Reasoning effort if neither the model's name nor the request sets one; `none` turns reasoning off.",
  ),
  maxTokens: maybe(z.int().nonnegative()).describe(
    "Reasoning budget in tokens, for models that accept one. Other models use `effort`.",
  ),
  ceilingTokens: maybe(z.int().min(1_024)).describe(
    "Maximum reasoning budget in tokens that a model name suffix or a setting can request, as a budget or as a level. Default: 16,000 for Claude, 24,576 for Gemini.",
  ),
  exclude: maybe(z.boolean()).describe("Whether to remove reasoning from responses, unless the client asks for it."),
  patterns: maybe(z.record(z.string().min(1), z.enum(REASONING_KINDS))).describe(
    "How reasoning is controlled, by model name with `*` as a wildcard, if it differs from the catalog: effort, level, budget, adaptive or none.",
  ),
});

/** Reasoning settings. */
export type ReasoningConfig = z.output<typeof reasoningSchema>;

/** Merges settings, the narrowest last. An effort or a budget replaces both, because they mean the same. */
export function mergeReasoning(
  wider: ReasoningConfig,
  ...narrower: readonly (ReasoningConfig | undefined)[]
): ReasoningConfig {
  return narrower.reduce<ReasoningConfig>(overlay, wider);
}

function overlay(wider: ReasoningConfig, narrower: ReasoningConfig = {}): ReasoningConfig {
  const { effort: _, maxTokens: _tokens, ...rest } = wider;
  const setsAmount = narrower.effort !== undefined || narrower.maxTokens !== undefined;
  const patterns = { ...wider.patterns, ...narrower.patterns };
  return {
    ...(setsAmount ? rest : wider),
    ...narrower,
    ...(Object.keys(patterns).length > 0 && { patterns }),
  };
}
