import { NO_USAGE } from "@longhaul/conversation";
import { costOf, type Prices } from "@longhaul/models";

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

/** Whether references from the first turn on pay, and what they are expected to save. */
export interface ReferencePayment {
  readonly pays: boolean;
  readonly savedTokensPerCall: number;
  /** 0 where no price is known. */
  readonly savedUsd: number;
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
  const once = costOf({ ...NO_USAGE, cacheWriteTokens: saved }, prices);
  const later = costOf({ ...NO_USAGE, cacheReadTokens: saved }, prices);
  return { pays, savedTokensPerCall: saved, savedUsd: once + callsAhead * later };
}
