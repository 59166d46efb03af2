import { promptTokens, type Usage } from "@longhaul/conversation";
import type { Facts, Prices } from "./model.ts";

type GivenPrices = NonNullable<Facts["prices"]>;

/** Anthropic bills a cache write at 1.25 times the input price, and one that lives for an hour at twice (its prompt caching page). */
const ANTHROPIC_WRITE = 1.25;
const ANTHROPIC_HOUR_WRITE = 2;

/**
 * Fills in what a price list leaves open, so that a cost is never too low: a cache read costs what input costs; a cache write costs
 * what input costs, or what Anthropic adds to it for its own models; a write for an hour costs what a write costs, or Anthropic's
 * price. Without input and output prices there are none at all.
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
