import type { Effort } from "@longhaul/conversation";
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
