import type { PlanOptions } from "@longhaul/condense/advanced";
import { sha256 } from "@longhaul/fit";
import { makeTokenCounters } from "@longhaul/models";
import type { Terms } from "../previews/protocol.ts";

export const COUNTERS = makeTokenCounters({ hash: sha256 });

/** Terms with `middle-out` and a model with known prices. */
export function makeTerms(plan: Partial<PlanOptions> = {}, fields: Partial<Terms> = {}): Terms {
  const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, cacheWriteHour: 6, tiers: [] };
  return {
    model: "own",
    tokenizer: "claude",
    plan: {
      strategy: "middle-out",
      fallbacks: [],
      windowTokens: 200_000,
      model: { maxOutput: 8_000, prices, thinking: { binds: false } },
      ...plan,
    },
    size: {},
    writers: [{ model: "own", windowTokens: 200_000, prices }],
    warnings: [],
    ...fields,
  };
}
