import { NO_USAGE, type Usage } from "@longhaul/conversation/advanced";
import { costOf, type Model } from "@longhaul/models";

/** The usage and cost of calls. A model without a known price costs nothing. */
export interface Spending {
  readonly usage: Usage;
  readonly costUsd: number;
}

export const NOTHING_SPENT: Spending = { usage: NO_USAGE, costUsd: 0 };

/** Adds up the usage of calls to a model, and their cost at its prices. */
export function spendingOf(usages: readonly Usage[], { prices }: Pick<Model, "prices">): Spending {
  const each = usages.map((usage) => ({ usage, costUsd: prices === undefined ? 0 : costOf(usage, prices) }));
  return each.reduce(addSpending, NOTHING_SPENT);
}

export function addSpending(one: Spending, other: Spending): Spending {
  return { usage: addUsage(one.usage, other.usage), costUsd: one.costUsd + other.costUsd };
}

function addUsage(one: Usage, other: Usage): Usage {
  const hourTokens = (one.cacheWriteHourTokens ?? 0) + (other.cacheWriteHourTokens ?? 0);
  const reasoningTokens = (one.reasoningTokens ?? 0) + (other.reasoningTokens ?? 0);
  const iterations = [...(one.iterations ?? []), ...(other.iterations ?? [])];
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(hourTokens > 0 && { cacheWriteHourTokens: hourTokens }),
    ...(reasoningTokens > 0 && { reasoningTokens }),
    ...(iterations.length > 0 && { iterations }),
  };
}
