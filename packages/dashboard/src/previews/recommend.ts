import type { ReplayAnswer } from "@longhaul/admin/api";
import { formatPercent } from "../strings/format.ts";
import { strings } from "../strings/strategies.ts";

const { compare: texts } = strings;

/** A difference in cost below this share does not outweigh better recall. */
const SAME_COST = 0.05;

/** Recommends the cheapest strategy that fits, or one that costs about the same and keeps more of the content used later. */
export function recommend(
  rows: readonly ReplayAnswer[],
): { readonly strategy: string; readonly name: string; readonly reason: string } | undefined {
  const fitting = rows.filter(({ fits, costUsd }) => fits && costUsd !== null);
  const cheapest = Math.min(...fitting.map(({ costUsd }) => costUsd ?? 0));
  const equal = fitting.filter(({ costUsd }) => (costUsd ?? 0) <= cheapest * (1 + SAME_COST));
  const [best] = equal.toSorted((a, b) => recallOf(b) - recallOf(a) || (a.costUsd ?? 0) - (b.costUsd ?? 0));
  if (best === undefined) return undefined;
  return { strategy: best.strategy, name: best.name, reason: reasonFor(best) };
}

function recallOf({ recall, condensations }: ReplayAnswer): number {
  return recall ?? (condensations === 0 ? 1 : 0);
}

function reasonFor(row: ReplayAnswer): string {
  const { condensations, costUsd, untouchedUsd, recall } = row;
  const share = costUsd === null || !untouchedUsd ? 0 : 1 - costUsd / untouchedUsd;
  const cost =
    share > 0.0005
      ? texts.less(formatPercent(share))
      : share < -0.0005
        ? texts.more(formatPercent(-share))
        : texts.same;
  if (condensations === 0) return texts.neverCondensed(cost);
  return recall === null ? texts.reason(cost) : texts.reasonWithRecall(cost, formatPercent(recall));
}
