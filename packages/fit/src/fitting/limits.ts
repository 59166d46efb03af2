import { BUDGET_BUFFER_TOKENS, type Budget, budgetOf, findStrategy, reserveFor } from "@longhaul/condense";
import type { Request } from "@longhaul/conversation";
import { ANSWER_TOKENS } from "@longhaul/models";
import type { Destination } from "../destinations/destination.ts";

/** How much a request may have, and how much it wants back. */
export interface RequestLimits extends Budget {
  /** Tokens that the client wants at the most, where it says so. */
  readonly wantedTokens: number | undefined;
  /** Up to here a conversation is sent as it came. */
  readonly rawTokens: number;
}

/** The window of a target: the operator's word for the profile or the upstream, else what an overflow taught, else the catalog's. */
export function windowOf({ handle, match, windowTokens }: Destination, learned: number | undefined): number {
  const set = windowTokens ?? handle.connection.upstream.windowTokens;
  return set ?? Math.min(learned ?? Number.POSITIVE_INFINITY, match.model.window);
}

/** What a request may have at a target with this window. */
export function limitsOf(destination: Destination, head: Request, windowTokens: number): RequestLimits {
  const { context, match } = destination;
  const { maxOutput, maxInput = Number.POSITIVE_INFINITY } = match.model;
  const { maxOutputTokens: wantedTokens, reasoning } = head;
  const thinking = reasoning?.mode === "budget" ? (reasoning.budgetTokens ?? 0) + ANSWER_TOKENS : 0;
  const reservedTokens = Math.max(
    reserveFor(wantedTokens ?? maxOutput, windowTokens, context.outputShare),
    Math.min(thinking, wantedTokens ?? thinking),
  );
  const budget = budgetOf({
    windowTokens,
    reservedTokens,
    floorTokens: context.floorTokens,
    globalThresholdPercent: context.threshold ?? findStrategy(context.strategy).thresholdPercent,
  });
  const triggerTokens = context.auto ? budget.triggerTokens : Math.max(budget.budgetTokens, 0);
  const thresholdPercent = context.auto ? budget.thresholdPercent : 100;
  return within({ ...budget, thresholdPercent, triggerTokens, wantedTokens, rawTokens: triggerTokens }, maxInput);
}

/** The same limits for a request that may not have more than this many tokens. */
export function within(limits: RequestLimits, maxTokens: number): RequestLimits {
  if (limits.budgetTokens <= maxTokens) return limits;
  return {
    ...limits,
    budgetTokens: maxTokens,
    triggerTokens: Math.min(limits.triggerTokens, maxTokens),
    rawTokens: Math.min(limits.rawTokens, maxTokens),
    targetTokens: Math.min(limits.targetTokens, Math.floor(maxTokens * TARGET_SHARE)),
  };
}

/** What is condensed aims well below what it may have, or the next turn would be over it again. */
const TARGET_SHARE = 0.9;

/** How far the upstream's own count of a prompt may be above ours. */
const COUNT_SLACK = 0.01;

/**
 * Returns the most tokens that the answer may have if the client's limit does not fit beside the prompt, else undefined. Servers that add both up
 * refuse a request that is over the window by a few tokens, so a lowered limit leaves room for the difference between two tokenizers.
 */
export function loweredOutput({ windowTokens, wantedTokens }: RequestLimits, promptTokens: number): number | undefined {
  const room = windowTokens - promptTokens - BUDGET_BUFFER_TOKENS;
  if (wantedTokens === undefined || wantedTokens <= room) return undefined;
  return Math.max(1, room - Math.ceil(promptTokens * COUNT_SLACK));
}
