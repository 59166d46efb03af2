import { NO_USAGE, promptTokens, type Usage } from "@longhaul/conversation/advanced";
import type { Model, Prices } from "./model.ts";
import { costOf } from "./prices.ts";

/** A prompt that was changed before it was sent. Sizes are by one counter. */
export interface ChangedPrompt {
  /** Size as the client sent it; `sentTokens` is its size as sent upstream. */
  readonly originalTokens: number;
  readonly sentTokens: number;
  /** Tokens of the original that no earlier request contained. @default as many as were billed as new */
  readonly newTokens?: number | undefined;
  /** Whether the rest was sent within the lifetime of the vendor's cache. */
  readonly isWarm: boolean;
}

/** The cost of a call, and what it would have cost untouched: in an unlimited window, under the same cache rules. */
export interface Bill {
  readonly costUsd: number;
  readonly untouchedUsd: number;
}

/** Returns the bill of a call. It is 0 if the prices are unknown. */
export function billOf(
  usage: Usage,
  { prices, accounting }: Pick<Model, "prices" | "accounting">,
  changed?: ChangedPrompt,
): Bill {
  if (prices === undefined) return { costUsd: 0, untouchedUsd: 0 };
  const costUsd = costOf(usage, prices);
  if (changed === undefined) return { costUsd, untouchedUsd: costUsd };
  const { originalTokens, sentTokens, newTokens } = changed;
  const { inputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const caches = cacheReadTokens + cacheWriteTokens > 0 || accounting === "inclusive";
  // A cache that held most of the sent prompt would have held the original, too.
  const isWarm = caches && (changed.isWarm || cacheReadTokens > inputTokens + cacheWriteTokens);
  const untouched = usageWith(usage, {
    sentTokens,
    otherTokens: originalTokens,
    newTokens: isWarm ? newTokens : originalTokens + promptTokens(usage),
  });
  return { costUsd, untouchedUsd: costOf(untouched, prices) };
}

/** Returns what a call would have cost without the vendor's prompt cache; 0 if the prices are unknown. */
export function uncachedCost(usage: Usage, { prices }: Pick<Model, "prices">): number {
  if (prices === undefined) return 0;
  const { cacheWriteHourTokens: _, ...counted } = usage;
  return costOf({ ...counted, inputTokens: promptTokens(usage), cacheReadTokens: 0, cacheWriteTokens: 0 }, prices);
}

/** Another form of a prompt that was sent. Sizes are by one counter. */
export interface OtherForm {
  readonly sentTokens: number;
  readonly otherTokens: number;
  /** Tokens of the other form that the vendor's cache would not have held. @default as many as were billed as new */
  readonly newTokens?: number | undefined;
}

/**
 * Returns the usage of a call with another form of its prompt. New tokens come last and are written to the cache in the same proportion;
 * everything before them is read from it.
 */
export function usageWith(usage: Usage, { sentTokens, otherTokens, newTokens }: OtherForm): Usage {
  if (sentTokens === otherTokens && newTokens === undefined) return usage;
  const { inputTokens, cacheWriteTokens: written, cacheWriteHourTokens: hour = 0 } = usage;
  const billedNew = inputTokens + written;
  const prompt = Math.max(0, promptTokens(usage) + otherTokens - sentTokens);
  const fresh = Math.min(prompt, newTokens ?? billedNew);
  const cacheWriteTokens = billedNew === 0 ? fresh : (fresh * written) / billedNew;
  return {
    ...usage,
    inputTokens: fresh - cacheWriteTokens,
    cacheReadTokens: prompt - fresh,
    cacheWriteTokens,
    cacheWriteHourTokens: written === 0 ? 0 : (cacheWriteTokens * hour) / written,
  };
}

/** Returns what each further call saves without these tokens: they would be read from the vendor's cache. */
export function savedPerCall(removedTokens: number, prices: Prices): number {
  return costOf({ ...NO_USAGE, cacheReadTokens: removedTokens }, prices);
}
