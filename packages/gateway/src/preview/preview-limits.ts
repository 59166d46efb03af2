import { type Budget, budgetOf, reserveFor, shouldCondense } from "@longhaul/condense";
import type { WindowTerms } from "./terms.ts";

/** The limits that a conversation is measured for. */
export interface PreviewLimits extends Budget {
  /** Whether the window was chosen so that there is something to see. */
  readonly isAssumed: boolean;
}

/** A conversation that would fit is shown as if its window were this share of it. */
const ASSUMED_SHARE = 0.75;

/** What is chosen, else the model's own window where the conversation has outgrown it, else one that it would have outgrown. */
export function previewLimits(window: WindowTerms, tokens: number): PreviewLimits {
  const { modelTokens, chosenTokens, budgetTokens } = window;
  if (budgetTokens !== undefined) {
    const limits = {
      windowTokens: budgetTokens,
      budgetTokens,
      targetTokens: budgetTokens,
      triggerTokens: budgetTokens,
    };
    return { ...limits, thresholdPercent: 100, isAssumed: false };
  }
  if (chosenTokens !== undefined) return { ...limitsOf(window, chosenTokens), isAssumed: false };
  const own = limitsOf(window, modelTokens);
  if (shouldCondense(tokens, own)) return { ...own, isAssumed: false };
  return { ...limitsOf(window, Math.max(1, Math.ceil(tokens * ASSUMED_SHARE))), isAssumed: true };
}

function limitsOf(
  { maxOutput, outputShare, floorTokens, thresholdPercent }: WindowTerms,
  windowTokens: number,
): Budget {
  return budgetOf({
    windowTokens,
    reservedTokens: reserveFor(maxOutput, windowTokens, outputShare),
    floorTokens,
    globalThresholdPercent: thresholdPercent,
  });
}
