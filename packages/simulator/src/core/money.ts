import type { Model, Prices } from "@longhaul/models/catalog";

/** The tokens that a vendor bills for one call; none is counted twice. */
export interface Billed {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  /** Cached for minutes. */
  readonly cacheWriteTokens: number;
  /** Cached for an hour. */
  readonly cacheWriteHourTokens: number;
  readonly outputTokens: number;
}

const MILLION = 1_000_000;

export function promptTokens(billed: Billed): number {
  return billed.inputTokens + billed.cacheReadTokens + billed.cacheWriteTokens + billed.cacheWriteHourTokens;
}

/** Returns the cost in USD; the price tier of a long prompt applies to the whole call. */
export function costOf(billed: Billed, prices: Prices): number {
  const prompt = promptTokens(billed);
  const over = prices.tiers.filter((tier) => prompt > tier.aboveInputTokens);
  const rates = over.toSorted((a, b) => b.aboveInputTokens - a.aboveInputTokens)[0] ?? prices;
  return (
    (billed.inputTokens * rates.input +
      billed.cacheReadTokens * rates.cacheRead +
      billed.cacheWriteTokens * rates.cacheWrite +
      billed.cacheWriteHourTokens * rates.cacheWriteHour +
      billed.outputTokens * rates.output) /
    MILLION
  );
}

export function addBilled(rounds: readonly Billed[]): Billed {
  const sum = (field: keyof Billed) => rounds.reduce((total, round) => total + round[field], 0);
  return {
    inputTokens: sum("inputTokens"),
    cacheReadTokens: sum("cacheReadTokens"),
    cacheWriteTokens: sum("cacheWriteTokens"),
    cacheWriteHourTokens: sum("cacheWriteHourTokens"),
    outputTokens: sum("outputTokens"),
  };
}

export interface Bill {
  billed?: Billed;
  costUsd?: number;
}

/** Records the bill of a call: all its rounds, each at its own rate. */
export function recordBill(bill: Bill, { prices }: Model, rounds: readonly Billed[]): void {
  bill.billed = addBilled(rounds);
  if (prices !== undefined) bill.costUsd = rounds.reduce((sum, round) => sum + costOf(round, prices), 0);
}
