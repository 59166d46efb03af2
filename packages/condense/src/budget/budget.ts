import { LonghaulError, NO_USAGE } from "@longhaul/conversation";
import { costOf, type Prices } from "@longhaul/models";
import type { MediaLimits } from "../content/media.ts";
import type { Strategy } from "../contract/strategy.ts";
import type { Limits } from "../contract/view.ts";

/** The lowest threshold that a profile may set, in percent of the window. */
export const MIN_THRESHOLD_PERCENT = 5;
/** The highest threshold that a profile may set, in percent of the window. */
export const MAX_THRESHOLD_PERCENT = 100;
/** The value of a profile's threshold that means "as set globally". */
export const INHERIT_THRESHOLD = -1;
/** Tokens kept free for errors of the count. */
export const BUDGET_BUFFER_TOKENS = 100;
/** Share of the window kept free below the absolute trigger. */
const TRIGGER_BUFFER = 0.1;
/** Share of the window that is kept free for a reply at the most, where nobody says otherwise. */
export const OUTPUT_SHARE = 0.2;

const TARGET_OF_WINDOW = 0.5;
const TARGET_OF_TRIGGER = 0.7;
const FLOOR_OF_TRIGGER = 0.9;

/** What decides when to condense and how far. */
export interface BudgetSettings {
  readonly windowTokens: number;
  /** What the reply may need. */
  readonly reservedTokens: number;
  /** Percent of the window, 5 to 100; -1 or nothing inherits `globalThresholdPercent`. */
  readonly thresholdPercent?: number | undefined;
  readonly globalThresholdPercent?: number | undefined;
  /** Condensing never aims below this many tokens, as far as 90 % of the trigger allows. */
  readonly floorTokens?: number;
}

/** When to condense, what must fit, and what to aim at; all in tokens of the whole request. */
export interface Budget extends Limits {
  readonly triggerTokens: number;
  readonly thresholdPercent: number;
  /** A threshold that could not be used, in words. */
  readonly warning?: string;
}

/** What to keep free for a reply that may have this many tokens: as much, up to a share of the window. */
export function reserveFor(replyTokens: number, windowTokens: number, share = OUTPUT_SHARE): number {
  return Math.min(replyTokens, Math.floor(windowTokens * share));
}

/** Works out budget, trigger and target. A window that is not positive throws `VALIDATION_ERROR`. */
export function budgetOf(settings: BudgetSettings): Budget {
  const { windowTokens, reservedTokens } = settings;
  if (!(windowTokens > 0)) throw new LonghaulError("VALIDATION_ERROR", "Context limit must be positive");
  const threshold = effectiveThreshold(settings);
  const budgetTokens = windowTokens - reservedTokens - BUDGET_BUFFER_TOKENS;
  const absolute = windowTokens * (1 - TRIGGER_BUFFER) - reservedTokens;
  const triggerTokens = Math.floor(
    Math.min((windowTokens * threshold.thresholdPercent) / 100, Math.max(absolute, 0), Math.max(budgetTokens, 0)),
  );
  const aim = Math.min(windowTokens * TARGET_OF_WINDOW, triggerTokens * TARGET_OF_TRIGGER);
  const floor = Math.min(settings.floorTokens ?? 0, triggerTokens * FLOOR_OF_TRIGGER);
  return { windowTokens, budgetTokens, triggerTokens, targetTokens: Math.floor(Math.max(aim, floor)), ...threshold };
}

/** A budget that is given in tokens: trigger, target and window are the same. */
export function exactBudget(budgetTokens: number): Budget {
  const sizes = { windowTokens: budgetTokens, targetTokens: budgetTokens, triggerTokens: budgetTokens };
  return { ...sizes, budgetTokens, thresholdPercent: MAX_THRESHOLD_PERCENT };
}

/** A condensed conversation has to stay well below a cap, or the next turn exceeds it again. */
const TARGET_OF_CAP = 0.9;

/** Returns the same budget for a request that may have no more than `maxTokens`. */
export function capBudget<T extends Budget>(budget: T, maxTokens: number): T {
  if (budget.budgetTokens <= maxTokens) return budget;
  return {
    ...budget,
    budgetTokens: maxTokens,
    triggerTokens: Math.min(budget.triggerTokens, maxTokens),
    targetTokens: Math.min(budget.targetTokens, Math.floor(maxTokens * TARGET_OF_CAP)),
  };
}

/** The threshold in force: the profile's own, or the global one where the profile inherits or its value is no threshold. */
export function effectiveThreshold(settings: Pick<BudgetSettings, "thresholdPercent" | "globalThresholdPercent">): {
  thresholdPercent: number;
  warning?: string;
} {
  const inherited = settings.globalThresholdPercent ?? MAX_THRESHOLD_PERCENT;
  const own = settings.thresholdPercent;
  if (own === undefined || own === INHERIT_THRESHOLD) return { thresholdPercent: inherited };
  if (own >= MIN_THRESHOLD_PERCENT && own <= MAX_THRESHOLD_PERCENT) return { thresholdPercent: own };
  const warning = `a threshold of ${own} % is outside ${MIN_THRESHOLD_PERCENT} to ${MAX_THRESHOLD_PERCENT}; the global ${inherited} % is used`;
  return { thresholdPercent: inherited, warning };
}

/** What is cut to the last token would be cut again on the next turn. */
const ROOMY_SHARE = 0.85;

/** The limits of a conversation that goes on: its result is to leave room for the turns to come, and may do without it. */
export function limitsWithHeadroom(
  { windowTokens, budgetTokens, targetTokens, triggerTokens }: Omit<Budget, "thresholdPercent">,
  media?: MediaLimits,
): Limits {
  const roomy = Math.max(targetTokens, Math.floor(triggerTokens * ROOMY_SHARE));
  const limits = { windowTokens, targetTokens, budgetTokens: Math.min(budgetTokens, roomy), limitTokens: budgetTokens };
  return { ...limits, ...(media !== undefined && { media }) };
}

/** Whether a conversation of this size is to be condensed: at or over the threshold, or over what the window leaves free. */
export function shouldCondense(tokens: number, budget: Budget): boolean {
  const percent = (100 * tokens) / budget.windowTokens;
  const isOverThreshold = percent >= budget.thresholdPercent;
  return isOverThreshold || tokens > budget.triggerTokens;
}

/** What says when a strategy is to run. */
export interface Timing {
  readonly strategy: Pick<Strategy, "isFinal" | "thresholdPercent">;
  readonly budget: Budget;
  /** The threshold that somebody set, if any. */
  readonly thresholdPercent?: number | undefined;
  /** Whether a model would be asked. */
  readonly asksModel: boolean;
}

/**
 * Whether it is time to condense a conversation of this size. What a model is asked for, and what has a threshold, begins where there is room
 * left. The rest takes milliseconds and breaks the vendor's cache: it waits until it must be done. Some strategies never run.
 */
export function isDue(tokens: number, { strategy, budget, thresholdPercent, asksModel }: Timing): boolean {
  if (strategy.isFinal === true) return false;
  const beginsEarly = asksModel || (thresholdPercent ?? strategy.thresholdPercent) !== undefined;
  return beginsEarly ? shouldCondense(tokens, budget) : tokens > budget.budgetTokens;
}

/** The size of a conversation before and after it was last condensed, and what was aimed at. */
export interface LastRun {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly targetTokens: number;
}

/** A run that gains a smaller share is not worth repeating soon. */
const MIN_GAIN = 0.1;
/** Share of the window by which a conversation grows before such a run is tried again. */
const GROWTH_OF_WINDOW = 0.05;

/**
 * Whether a conversation that was condensed before may be condensed again. A run that gained little, or ended over its target, would do
 * so again: it waits until the conversation has grown, or no longer fits. `tokens` is what would be sent now, with what that run did.
 */
export function mayRunAgain(last: LastRun, { tokens, budget }: { tokens: number; budget: Budget }): boolean {
  const hasGained = last.tokensBefore - last.tokensAfter >= MIN_GAIN * last.tokensBefore;
  if (hasGained && last.tokensAfter <= last.targetTokens) return true;
  const hasGrown = tokens - last.tokensAfter >= GROWTH_OF_WINDOW * budget.windowTokens;
  return hasGrown || tokens > budget.budgetTokens;
}

/** What is known of a condensation that is not needed to fit, when somebody asks whether it pays. */
export interface CondensingGain {
  /** Tokens that every further call does without. */
  readonly savedTokens: number;
  /** Tokens that follow the first change and stay: they are written to the cache anew. */
  readonly suffixTokens: number;
  /** How likely the cache still holds what was sent last, 0 to 1. */
  readonly cacheAlive: number;
  /** How many calls are expected to send the conversation, the next one included; `expectedCalls` estimates it. */
  readonly calls: number;
  /** What the conversation's own model charges. */
  readonly prices: Prices;
  /** What the summaries cost. @default 0 */
  readonly summaryUsd?: number;
}

/** Whether something pays, and what it is expected to save. */
export interface Payoff {
  readonly pays: boolean;
  /** Less than nothing where it costs more than it saves. */
  readonly savedUsd: number;
}

/**
 * Estimates whether condensing pays that is not needed to fit. What is gone is not written to the cache in the next call and not read from
 * it in the others; but a cache that is still warm would have been read, and is now written from the first change on.
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

/** How many further calls a conversation is expected to have: as many as it had, within reason. */
export function expectedCalls(callsSoFar: number): number {
  return Math.min(Math.max(callsSoFar, FEWEST_CALLS), MOST_CALLS);
}
