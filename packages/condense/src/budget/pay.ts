import { NO_USAGE } from "@longhaul/conversation";
import { costOf, type Prices } from "@longhaul/models";

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
