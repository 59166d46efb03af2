import { LonghaulError, NO_USAGE } from "@longhaul/conversation/advanced";
import { costOf, type Prices } from "@longhaul/models";
import type { MediaLimits } from "../content/media.ts";
import type { Strategy } from "../contract/strategy.ts";
import type { Limits } from "../contract/view.ts";

/** Lowest threshold that a profile may set, in percent of the window. */
export const MIN_THRESHOLD_PERCENT = 5;
/** Highest threshold that a profile may set, in percent of the window. */
export const MAX_THRESHOLD_PERCENT = 100;
/** Threshold of a profile that inherits the global one. */
export const INHERIT_THRESHOLD = -1;
/** Reserve for counting errors. */
export const BUDGET_BUFFER_TOKENS = 100;
/** Share of the window kept free below the absolute trigger. */
const TRIGGER_BUFFER = 0.1;
/** Default maximum share of the window that is reserved for a reply. */
export const OUTPUT_SHARE = 0.2;
/** Largest share of the window that can be reserved for a reply. */
export const MAX_OUTPUT_SHARE = 0.9;
/** Smallest share of the window that condensing can aim at. */
export const MIN_TARGET_SHARE = 0.05;
/** Largest share of the window that condensing can aim at. */
export const MAX_TARGET_SHARE = 0.9;

const TARGET_OF_WINDOW = 0.5;
const TARGET_OF_TRIGGER = 0.7;
const MAX_TARGET_OF_TRIGGER = 0.9;

/** Settings that determine when to condense and to which size. */
export interface BudgetSettings {
  readonly windowTokens: number;
  /** Tokens reserved for the reply. */
  readonly reservedTokens: number;
  /** Percent of the window, 5 to 100; -1 or undefined inherits `globalThresholdPercent`. */
  readonly thresholdPercent?: number | undefined;
  readonly globalThresholdPercent?: number | undefined;
  /** Target as a share of the window, at most 90% of the trigger. @default half of the window, at most 70% of the trigger */
  readonly targetShare?: number | undefined;
  /** Target in tokens, at most 90% of the trigger. Overrides `targetShare`. */
  readonly targetTokens?: number | undefined;
  /** Lower bound of the target, as far as 90% of the trigger allows. */
  readonly floorTokens?: number;
}

/** When to condense, what must fit, and the target; all in tokens of the whole request. */
export interface Budget extends Limits {
  readonly triggerTokens: number;
  readonly thresholdPercent: number;
  /** Explains why a threshold was ignored. */
  readonly warning?: string;
}

/** Returns the tokens to reserve for a reply: its maximum, up to a share of the window. */
export function reserveFor(replyTokens: number, windowTokens: number, share = OUTPUT_SHARE): number {
  return Math.min(replyTokens, Math.floor(windowTokens * share));
}

/** Computes budget, trigger and target. Throws `VALIDATION_ERROR` if the window is not positive. */
export function budgetOf(settings: BudgetSettings): Budget {
  const { windowTokens, reservedTokens } = settings;
  if (!(windowTokens > 0)) throw new LonghaulError("VALIDATION_ERROR", "Context limit must be positive");
  const threshold = effectiveThreshold(settings);
  const budgetTokens = windowTokens - reservedTokens - BUDGET_BUFFER_TOKENS;
  const absolute = windowTokens * (1 - TRIGGER_BUFFER) - reservedTokens;
  const triggerTokens = Math.floor(
    Math.min((windowTokens * threshold.thresholdPercent) / 100, Math.max(absolute, 0), Math.max(budgetTokens, 0)),
  );
  const targetTokens = targetOf(settings, triggerTokens);
  return { windowTokens, budgetTokens, triggerTokens, targetTokens, ...threshold };
}

function targetOf(settings: BudgetSettings, triggerTokens: number): number {
  const { windowTokens, targetShare, floorTokens = 0 } = settings;
  const set = settings.targetTokens ?? (targetShare === undefined ? undefined : windowTokens * targetShare);
  const usual = Math.min(windowTokens * TARGET_OF_WINDOW, triggerTokens * TARGET_OF_TRIGGER);
  return Math.floor(Math.min(Math.max(set ?? usual, floorTokens), triggerTokens * MAX_TARGET_OF_TRIGGER));
}

/** Returns a budget with the given size as window, trigger and target. */
export function exactBudget(budgetTokens: number): Budget {
  const sizes = { windowTokens: budgetTokens, targetTokens: budgetTokens, triggerTokens: budgetTokens };
  return { ...sizes, budgetTokens, thresholdPercent: MAX_THRESHOLD_PERCENT };
}

/** A condensed conversation must stay well below a cap, or the next turn exceeds it again. */
const TARGET_OF_CAP = 0.9;

/** Returns the budget lowered to `maxTokens`. */
export function capBudget<T extends Budget>(budget: T, maxTokens: number): T {
  if (budget.budgetTokens <= maxTokens) return budget;
  return {
    ...budget,
    budgetTokens: maxTokens,
    triggerTokens: Math.min(budget.triggerTokens, maxTokens),
    targetTokens: Math.min(budget.targetTokens, Math.floor(maxTokens * TARGET_OF_CAP)),
  };
}

/** Returns the effective threshold: the profile's, or the global one if the profile inherits or its value is out of range. */
export function effectiveThreshold(settings: Pick<BudgetSettings, "thresholdPercent" | "globalThresholdPercent">): {
  thresholdPercent: number;
  warning?: string;
} {
  const inherited = settings.globalThresholdPercent ?? MAX_THRESHOLD_PERCENT;
  const own = settings.thresholdPercent;
  if (own === undefined || own === INHERIT_THRESHOLD) return { thresholdPercent: inherited };
  if (own >= MIN_THRESHOLD_PERCENT && own <= MAX_THRESHOLD_PERCENT) return { thresholdPercent: own };
  const warning = `the threshold of ${own}% is not between ${MIN_THRESHOLD_PERCENT}% and ${MAX_THRESHOLD_PERCENT}%; using the global threshold of ${inherited}%`;
  return { thresholdPercent: inherited, warning };
}

/** A conversation cut to the last token would be cut again on the next turn. */
const ROOMY_SHARE = 0.85;

/** Returns limits that leave headroom for further turns, if possible. */
export function limitsWithHeadroom(
  { windowTokens, budgetTokens, targetTokens, triggerTokens }: Omit<Budget, "thresholdPercent">,
  media?: MediaLimits,
): Limits {
  const roomy = Math.max(targetTokens, Math.floor(triggerTokens * ROOMY_SHARE));
  const limits = { windowTokens, targetTokens, budgetTokens: Math.min(budgetTokens, roomy), limitTokens: budgetTokens };
  return { ...limits, ...(media !== undefined && { media }) };
}

/** Whether to condense a conversation of this size: at or over the threshold, or over the trigger. */
export function shouldCondense(tokens: number, budget: Budget): boolean {
  const percent = (100 * tokens) / budget.windowTokens;
  const isOverThreshold = percent >= budget.thresholdPercent;
  return isOverThreshold || tokens > budget.triggerTokens;
}

/** Inputs of the decision when to run a strategy. */
export interface Timing {
  readonly strategy: Pick<Strategy, "isFinal" | "thresholdPercent">;
  readonly budget: Budget;
  /** The configured threshold, if any. */
  readonly thresholdPercent?: number | undefined;
  /** Returns whether a model would be called. */
  readonly asksModel: () => boolean;
}

/**
 * Whether it is time to condense a conversation of this size. Strategies that call a model or have a threshold start early, at the trigger.
 * The others take milliseconds but invalidate the vendor's cache, so they wait until the budget is exceeded. Final strategies never run.
 */
export function isDue(tokens: number, { strategy, budget, thresholdPercent, asksModel }: Timing): boolean {
  if (strategy.isFinal === true) return false;
  if (tokens > budget.budgetTokens) return true;
  if (!shouldCondense(tokens, budget)) return false;
  return (thresholdPercent ?? strategy.thresholdPercent) !== undefined || asksModel();
}

/** Size of a conversation before and after it was last condensed, and the target of that run. */
export interface LastRun {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly targetTokens: number;
}

/** A run that gains a smaller share is not worth repeating soon. */
const MIN_GAIN = 0.1;
/** Share of the window by which a conversation must grow before an unsuccessful run is repeated. */
const GROWTH_OF_WINDOW = 0.05;

/**
 * Whether a conversation may be condensed again. If the last run gained little or missed its target, the next one waits until the
 * conversation has grown or no longer fits. `tokens` is the size that would be sent now, with the last run applied.
 */
export function mayRunAgain(last: LastRun, { tokens, budget }: { tokens: number; budget: Budget }): boolean {
  const hasGained = last.tokensBefore - last.tokensAfter >= MIN_GAIN * last.tokensBefore;
  if (hasGained && last.tokensAfter <= last.targetTokens) return true;
  const hasGrown = tokens - last.tokensAfter >= GROWTH_OF_WINDOW * budget.windowTokens;
  return hasGrown || tokens > budget.budgetTokens;
}

/** Figures of a condensation that is not needed to fit. */
export interface CondensingGain {
  /** Tokens that every further call saves. */
  readonly savedTokens: number;
  /** Tokens after the first change that are kept: they are written to the cache again. */
  readonly suffixTokens: number;
  /** Probability that the cache still holds what was sent last, 0 to 1. */
  readonly cacheAlive: number;
  /** Expected number of calls that send the conversation, including the next one; see `expectedCalls`. */
  readonly calls: number;
  /** Prices of the conversation's model. */
  readonly prices: Prices;
  /** Cost of the summaries. @default 0 */
  readonly summaryUsd?: number;
}

/** Whether a condensation pays for itself, and its expected savings. */
export interface Payoff {
  readonly pays: boolean;
  /** Negative if it costs more than it saves. */
  readonly savedUsd: number;
}

/**
 * Estimates whether condensing pays for itself when it is not needed to fit. Removed tokens are neither written to the cache in the next
 * call nor read from it later; but a warm cache would have been read, and is now written again from the first change on.
 */
export function paysForItself(gain: CondensingGain): Payoff {
  const { savedTokens, suffixTokens, cacheAlive, calls, prices, summaryUsd = 0 } = gain;
  const write = (tokens: number) => costOf({ ...NO_USAGE, cacheWriteTokens: tokens }, prices);
  const read = (tokens: number) => costOf({ ...NO_USAGE, cacheReadTokens: tokens }, prices);
  const saved = write(savedTokens) + (calls - 1) * read(savedTokens);
  const lost = cacheAlive * (write(suffixTokens + savedTokens) - read(suffixTokens + savedTokens));
  const savedUsd = saved - lost - summaryUsd;
  return { pays: savedUsd > 0, savedUsd };
}

const FEWEST_CALLS = 10;
const MOST_CALLS = 200;

/** Returns the expected number of further calls: as many as before, within bounds. */
export function expectedCalls(callsSoFar: number): number {
  return Math.min(Math.max(callsSoFar, FEWEST_CALLS), MOST_CALLS);
}
