import type { Effort, Reasoning } from "@longhaul/conversation";
import type { Model } from "../catalog/model.ts";
import { type ReasoningWish, wishOfEffort } from "./wish.ts";

/** The wish that settings stand for: with both given, the budget is for models that take one, the level for all others. */
export function wishOfSettings(
  { effort, maxTokens }: { readonly effort?: Effort; readonly maxTokens?: number },
  { reasoning }: Pick<Model, "reasoning">,
): ReasoningWish | undefined {
  const takesBudget = reasoning.kind === "budget" || reasoning.thinkingTypes.includes("enabled");
  if (maxTokens !== undefined && (takesBudget || effort === undefined)) return { kind: "budget", tokens: maxTokens };
  return effort === undefined ? undefined : wishOfEffort(effort);
}

/** The wish that a request's own words stand for. */
export function wishOfReasoning({ mode, effort, budgetTokens }: Reasoning): ReasoningWish {
  if (mode === "off") return { kind: "off" };
  if (mode === "budget" && budgetTokens !== undefined) return { kind: "budget", tokens: budgetTokens };
  return effort === undefined ? { kind: "auto" } : wishOfEffort(effort);
}
