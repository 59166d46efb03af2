import type { Totals } from "@longhaul/store";

/** Nothing yet, for one group. */
export function noTotals(atMs: number, group: string): Totals {
  return {
    atMs,
    group,
    requests: 0,
    errors: 0,
    fallbacks: 0,
    overWindow: 0,
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    savedTokens: 0,
    costUsd: 0,
    savedUsd: 0,
    addedMs: 0,
    condensations: 0,
    condensingUsd: 0,
  };
}

/** Sums of different times as one, from the time of the first. */
export function sumTotals(all: readonly Totals[], group: string): Totals {
  return all.reduce<Totals>(add, noTotals(all[0]?.atMs ?? 0, group));
}

/** Sums of different times as one for each group, those with most requests first. */
export function sumByGroup(all: readonly Totals[]): readonly Totals[] {
  const groups = new Map<string, Totals>();
  for (const totals of all)
    groups.set(totals.group, add(groups.get(totals.group) ?? noTotals(totals.atMs, totals.group), totals));
  return [...groups.values()].sort((a, b) => b.requests - a.requests);
}

function add(one: Totals, other: Totals): Totals {
  const { atMs, group, ...figures } = one;
  return {
    atMs,
    group,
    requests: figures.requests + other.requests,
    errors: figures.errors + other.errors,
    fallbacks: figures.fallbacks + other.fallbacks,
    overWindow: figures.overWindow + other.overWindow,
    inputTokens: figures.inputTokens + other.inputTokens,
    cacheReadTokens: figures.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: figures.cacheWriteTokens + other.cacheWriteTokens,
    outputTokens: figures.outputTokens + other.outputTokens,
    savedTokens: figures.savedTokens + other.savedTokens,
    costUsd: figures.costUsd + other.costUsd,
    savedUsd: figures.savedUsd + other.savedUsd,
    addedMs: figures.addedMs + other.addedMs,
    condensations: figures.condensations + other.condensations,
    condensingUsd: figures.condensingUsd + other.condensingUsd,
  };
}
