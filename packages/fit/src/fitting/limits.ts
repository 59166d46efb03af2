import {
  BUDGET_BUFFER_TOKENS,
  type Budget,
  capBudget,
  modelFacts,
  type PlanOptions,
  planBudget,
  replyOptions,
} from "@longhaul/condense/advanced";
import type { Request } from "@longhaul/conversation/advanced";
import type { Model } from "@longhaul/models";
import type { RequestContext } from "@longhaul/settings";
import type { Destination } from "../destinations/destination.ts";

export interface RequestLimits extends Budget {
  /** The client's output limit, if any. */
  readonly wantedTokens: number | undefined;
  /** Up to this size a conversation is sent unchanged. */
  readonly rawTokens: number;
}

/** Returns the window of a destination: the operator's setting for the profile or upstream, else the learned one, else the catalog's. */
export function windowOf({ handle, match, windowTokens }: Destination, learned: number | undefined): number {
  const set = windowTokens ?? handle.connection.upstream.windowTokens;
  return set ?? Math.min(learned ?? Number.POSITIVE_INFINITY, match.model.window);
}

/** Returns the planner's options for conversations with a model, from the settings. */
export function planOptions(context: RequestContext, model: Model, windowTokens: number): PlanOptions {
  const { strategy, strategies, prompt, fallbacks, references, threshold, outputShare, keepOutputLimit } = context;
  const { targetShare, targetTokens, floorTokens, auto, pins } = context;
  return {
    strategy,
    configs: strategies,
    prompt,
    fallbacks,
    references,
    windowTokens,
    model: modelFacts(model),
    thresholdPercent: threshold,
    outputShare,
    keepsOutputLimit: keepOutputLimit,
    targetShare,
    targetTokens,
    floorTokens,
    isAutomatic: auto,
    pins,
  };
}

/** Returns the planner's options for one request to a destination with this window. */
export function requestOptions({ context, match }: Destination, head: Request, windowTokens: number): PlanOptions {
  return { ...planOptions(context, match.model, windowTokens), ...replyOptions(head) };
}

export function limitsOf(options: PlanOptions): RequestLimits {
  const budget = planBudget(options);
  return { ...budget, wantedTokens: options.replyTokens, rawTokens: budget.triggerTokens };
}

/** Returns the same limits for a request that may not have more than `maxTokens`. */
export function within(limits: RequestLimits, maxTokens: number): RequestLimits {
  const capped = capBudget(limits, maxTokens);
  return capped === limits ? limits : { ...capped, rawTokens: Math.min(limits.rawTokens, maxTokens) };
}

/** How far the upstream's own count of a prompt may exceed ours. */
const COUNT_SLACK = 0.01;

/**
 * Returns a lower output limit if the client's does not fit beside the prompt, else undefined. Servers that add up both refuse a request
 * that exceeds the window by a few tokens, so a lowered limit leaves room for differences between tokenizers.
 */
export function loweredOutput({ windowTokens, wantedTokens }: RequestLimits, promptTokens: number): number | undefined {
  const room = windowTokens - promptTokens - BUDGET_BUFFER_TOKENS;
  if (wantedTokens === undefined || wantedTokens <= room) return undefined;
  return Math.max(1, room - Math.ceil(promptTokens * COUNT_SLACK));
}
