import { type Budget, budgetOf, reserveFor, type Strategy } from "@longhaul/condense";
import type { Model } from "@longhaul/models";
import type { FittingCall, FittingOptions } from "./fitting-call.ts";

/** What a budget depends on besides the call. */
export interface BudgetTerms extends Pick<FittingOptions, "windowTokens" | "reservedTokens" | "thresholdPercent"> {
  readonly strategy: Pick<Strategy, "thresholdPercent">;
  readonly model: Pick<Model, "window" | "maxOutput" | "maxInput">;
  /** What a prompt has beside what is counted. @default 0 */
  readonly uncountedTokens?: number;
}

/** What a call's prompt may have. */
export function budgetFor({ maxOutputTokens }: Pick<FittingCall, "maxOutputTokens">, terms: BudgetTerms): Budget {
  const { thresholdPercent, strategy, model, uncountedTokens = 0 } = terms;
  const windowTokens = terms.windowTokens ?? model.window;
  const reply = terms.reservedTokens ?? reserveFor(maxOutputTokens ?? model.maxOutput, windowTokens);
  return budgetOf({
    // Some vendors bound the prompt apart from the window.
    windowTokens: Math.min(windowTokens, (model.maxInput ?? Number.POSITIVE_INFINITY) + reply),
    reservedTokens: reply + uncountedTokens,
    thresholdPercent,
    globalThresholdPercent: strategy.thresholdPercent,
  });
}
