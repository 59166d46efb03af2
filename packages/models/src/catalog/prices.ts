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
