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
export interface Payment {
  readonly pays: boolean;
  /** Less than nothing where it costs more than it saves. */
  readonly savedUsd: number;
}

/**
 * Estimates whether condensing pays that is not needed to fit. What is gone is not written to the cache in the next call and not read from
 * it in the others; but a cache that is still warm would have been read, and is now written from the first change on.
 */
export function paysForItself(gain: CondensingGain): Payment {
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

/** What is known of a conversation when somebody asks whether references pay. */
export interface ReferenceGain {
  /** Tokens of the conversation without references. */
  readonly tokensBefore: number;
  /** Tokens of it with them. */
  readonly tokensAfter: number;
  /** How many further calls are expected to send it again. */
  readonly callsAhead: number;
  /** What the model charges, where that is known. */
  readonly prices?: Prices;
}

/** Whether references from the first turn on pay; 0 USD where no price is known. */
export interface ReferencePayment extends Payment {
  readonly savedTokensPerCall: number;
}

/** A smaller share is not worth that a model meets references at all. */
const MIN_SHARE = 0.03;
const MIN_TOKENS = 500;

/**
 * Estimates what references save that are made when a message is first sent. They change nothing that was sent before, so no cache is lost
 * and every token they save is saved once at the price of new input and, with each further call, at the price of a cache read. What
 * decides is thus not the money but whether there is enough to save: 3 % of the conversation and 500 tokens.
 */
export function referencesPay({ tokensBefore, tokensAfter, callsAhead, prices }: ReferenceGain): ReferencePayment {
  const saved = tokensBefore - tokensAfter;
  const pays = saved >= MIN_TOKENS && saved >= MIN_SHARE * tokensBefore;
  if (prices === undefined) return { pays, savedTokensPerCall: saved, savedUsd: 0 };
  const gain = { savedTokens: saved, suffixTokens: 0, cacheAlive: 0, calls: callsAhead + 1, prices };
  return { pays, savedTokensPerCall: saved, savedUsd: paysForItself(gain).savedUsd };
}
