import { promptTokens, type Usage } from "@longhaul/conversation";
import type { Prices } from "./catalog/model.ts";

const MILLION = 1_000_000;

/**
 * What a call costs in USD. The tier goes by the whole prompt, cached parts included; earlier rounds of the call (`iterations`) are
 * billed each on its own.
 */
export function costOf(usage: Usage, prices: Prices): number {
  const rates = ratesFor(promptTokens(usage), prices);
  const hourTokens = Math.min(usage.cacheWriteHourTokens ?? 0, usage.cacheWriteTokens);
  const cost =
    usage.inputTokens * rates.input +
    usage.cacheReadTokens * rates.cacheRead +
    (usage.cacheWriteTokens - hourTokens) * rates.cacheWrite +
    hourTokens * rates.cacheWriteHour +
    usage.outputTokens * rates.output;
  const earlier = (usage.iterations ?? []).reduce((sum, round) => sum + costOf(round, prices), 0);
  return cost / MILLION + earlier;
}

/** The rates of the highest tier that a prompt is over, else the base rates. */
function ratesFor(prompt: number, prices: Prices): Omit<Prices, "tiers"> {
  const over = prices.tiers.filter((tier) => prompt > tier.aboveInputTokens);
  return over.toSorted((a, b) => b.aboveInputTokens - a.aboveInputTokens)[0] ?? prices;
}
