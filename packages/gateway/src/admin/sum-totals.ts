import { perMeasure, type Totals } from "@longhaul/store";

/** Nothing yet, for one group. */
export function noTotals(atMs: number, group: string): Totals {
  return { atMs, group, ...perMeasure(() => 0) };
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

function add({ atMs, group, ...one }: Totals, other: Totals): Totals {
  return { atMs, group, ...perMeasure((name) => one[name] + other[name]) };
}
