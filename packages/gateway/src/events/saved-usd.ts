import { promptTokens, type Usage } from "@longhaul/conversation";
import type { CondensedNote, SizedNote } from "@longhaul/fit";
import { costOf, type Model } from "@longhaul/models";

/** What condensing did to a request. */
export interface Condensing extends Pick<SizedNote, "originalTokens" | "sentTokens" | "windowTokens" | "warmTokens"> {
  readonly origin: CondensedNote["origin"];
}

/**
 * What a request would have cost more as it came. What was left out stood at the beginning of the prompt, so it would have been billed as
 * the beginning was: read from the cache where there was something to read. A request that was condensed just now has lost its cache
 * instead: it is held against what would have been read. No more is counted than the window takes, because no more could have been sent.
 */
export function savedUsd(usage: Usage, { prices, accounting }: Model, condensing: Condensing): number {
  if (prices === undefined) return 0;
  const caches = usage.cacheReadTokens + usage.cacheWriteTokens > 0 || accounting === "inclusive";
  return costOf(usageAsItCame(usage, condensing, caches), prices) - costOf(usage, prices);
}

/** What the vendor would have reported. `caches` says whether it keeps prompts for this client at all. */
function usageAsItCame(usage: Usage, condensing: Condensing, caches: boolean): Usage {
  const { originalTokens, sentTokens, windowTokens, warmTokens, origin } = condensing;
  const gone = Math.max(0, Math.min(originalTokens, windowTokens) - sentTokens);
  const prompt = promptTokens(usage) + gone;
  const { cacheReadTokens: read, cacheWriteTokens: write, cacheWriteHourTokens: hour = 0 } = usage;
  const kept = origin === "reused" ? (read > 0 ? read + gone : 0) : Math.max(read, caches ? warmTokens : 0);
  const cacheReadTokens = Math.min(kept, prompt);
  const fresh = prompt - cacheReadTokens;
  const wasFresh = usage.inputTokens + write;
  const share = (part: number) => (wasFresh === 0 ? 0 : (fresh * part) / wasFresh);
  const cacheWriteTokens = share(write);
  const inputTokens = fresh - cacheWriteTokens;
  return { ...usage, inputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteHourTokens: share(hour) };
}
