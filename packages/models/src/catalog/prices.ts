import { promptTokens, type Usage } from "@longhaul/conversation/advanced";
import type { Facts, Prices } from "./model.ts";

type GivenPrices = NonNullable<Facts["prices"]>;

/** Anthropic bills a cache write at 1.25 times the input price, and one with a lifetime of an hour at twice (prompt caching page). */
const ANTHROPIC_WRITE = 1.25;
const ANTHROPIC_HOUR_WRITE = 2;

/**
 * Completes a price list so that a cost is never too low: a cache read or write costs as much as input, an hour-long write as much as a
 * write, with Anthropic's surcharges for its own models. Returns undefined without input and output prices.
 */
export function completePrices(given: GivenPrices | undefined, vendor: string): Prices | undefined {
  if (given?.input === undefined || given.output === undefined) return undefined;
  const tiers = (given.tiers ?? []).map((tier) => ({
    aboveInputTokens: tier.aboveInputTokens,
    ...completeRates(tier, vendor),
  }));
  return { ...completeRates({ ...given, input: given.input, output: given.output }, vendor), tiers };
}

type GivenRates = GivenPrices & { readonly input: number; readonly output: number };

function completeRates(given: GivenRates, vendor: string): Omit<Prices, "tiers"> {
  const { input, output } = given;
  const isAnthropic = vendor === "anthropic";
  const cacheWrite = given.cacheWrite ?? (isAnthropic ? input * ANTHROPIC_WRITE : input);
  return {
    input,
    output,
    cacheRead: given.cacheRead ?? input,
    cacheWrite,
    cacheWriteHour: given.cacheWriteHour ?? (isAnthropic ? input * ANTHROPIC_HOUR_WRITE : cacheWrite),
  };
}

const MILLION = 1_000_000;

/**
 * Returns the cost of a call in USD. The whole prompt, including cached parts, determines the tier; earlier rounds of the call
 * (`iterations`) are billed separately.
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

/** Returns the rates of the highest tier that a prompt exceeds, otherwise the base rates. */
function ratesFor(prompt: number, prices: Prices): Omit<Prices, "tiers"> {
  const over = prices.tiers.filter((tier) => prompt > tier.aboveInputTokens);
  return over.toSorted((a, b) => b.aboveInputTokens - a.aboveInputTokens)[0] ?? prices;
}
