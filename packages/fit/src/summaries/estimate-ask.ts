import type { Ask } from "@longhaul/condense";
import { costOf } from "@longhaul/models";
import { askTokens } from "./ask-size.ts";
import { candidatesFor } from "./candidates.ts";
import type { TrialContext } from "./trials.ts";

/** What an ask will likely cost, told before anybody is asked: by the prices of the first model that may answer it. */
export function estimateAsk(ask: Ask, context: TrialContext): number {
  const [first] = candidatesFor(ask, context).filter((candidate) => "destination" in candidate);
  const prices = first?.destination.match.model.prices;
  if (first === undefined || prices === undefined) return 0;
  const { counter, opened, sent } = context;
  const warmTokens = first.isOwn && opened !== undefined ? (sent?.tokens ?? 0) : 0;
  const inputTokens = warmTokens > 0 ? counter.countText(ask.instructions) : askTokens(ask, counter);
  return costOf(
    { inputTokens, cacheReadTokens: warmTokens, cacheWriteTokens: 0, outputTokens: ask.expectedTokens },
    prices,
  );
}
