import { type Budget, budgetOf, reserveFor, type Strategy, shouldCondense } from "@longhaul/condense";
import type { Model } from "@longhaul/models";
import type { FittingCall, FittingOptions } from "./fitting-call.ts";

/** What a budget depends on besides the call. */
export interface BudgetTerms extends Pick<FittingOptions, "windowTokens" | "reservedTokens" | "thresholdPercent"> {
  readonly strategy: Pick<Strategy, "thresholdPercent" | "capabilities" | "isFinal">;
  readonly model: Pick<Model, "window" | "maxOutput" | "maxInput">;
}

/** What a call's prompt may have. */
export function budgetFor({ maxOutputTokens }: Pick<FittingCall, "maxOutputTokens">, terms: BudgetTerms): Budget {
  const { reservedTokens, thresholdPercent, strategy, model } = terms;
  const windowTokens = terms.windowTokens ?? model.window;
  const reserved = reservedTokens ?? reserveFor(maxOutputTokens ?? model.maxOutput, windowTokens);
  return budgetOf({
    // Some vendors bound the prompt apart from the window.
    windowTokens: Math.min(windowTokens, (model.maxInput ?? Number.POSITIVE_INFINITY) + reserved),
    reservedTokens: reserved,
    thresholdPercent,
    globalThresholdPercent: strategy.thresholdPercent,
  });
}

/** A prompt, and by what it is judged. */
export interface Due {
  readonly tokens: number;
  readonly budget: Budget;
  readonly terms: BudgetTerms;
}

/** Whether it is time to condense. What asks no model takes milliseconds, and waits until it must be done; summaries begin where there is room left; some strategies never do. */
export function isDue({ summarize }: Pick<FittingCall, "summarize">, { tokens, budget, terms }: Due): boolean {
  const { strategy, thresholdPercent } = terms;
  if (strategy.isFinal === true) return false;
  const hasThreshold = (thresholdPercent ?? strategy.thresholdPercent) !== undefined;
  const asksModel = summarize !== undefined && strategy.capabilities.summarizes;
  return hasThreshold || asksModel ? shouldCondense(tokens, budget) : tokens > budget.budgetTokens;
}
