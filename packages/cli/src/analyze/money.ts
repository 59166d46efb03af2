import { NO_USAGE, type Usage } from "@longhaul/conversation";
import { costOf, type Prices } from "@longhaul/models";
import type { SentPrompt } from "./prompts.ts";
import type { ReplayStep } from "./replay.ts";
import { sum } from "./sum.ts";

/** What the calls of a session cost as they were sent: as the log reports their usage, else with a cache that forgets nothing. */
export function costAsSent(prompts: readonly SentPrompt[], prices: Prices): number {
  return sum(prompts.map((prompt, index) => costOf(usageOf(prompt, prompts[index - 1]), prices)));
}

/** What they would have cost, had they sent other prompts. The cache would have kept what it kept, as far as it was sent unchanged. */
export function costAsReplayed(prompts: readonly SentPrompt[], steps: readonly ReplayStep[], prices: Prices): number {
  return sum(
    prompts.map((prompt, index) => {
      const step = steps[index] ?? prompt;
      return costOf(replayedUsage(usageOf(prompt, prompts[index - 1]), { prompt, step }), prices);
    }),
  );
}

/** What a call used, or would have used with a cache that holds all of the call before. */
function usageOf({ call, heldTokens, continues }: SentPrompt, before: SentPrompt | undefined): Usage {
  if (call.usage !== undefined) return call.usage;
  const cacheReadTokens = continues ? Math.min(heldTokens, before?.heldTokens ?? 0) : 0;
  return { ...NO_USAGE, cacheReadTokens, cacheWriteTokens: heldTokens - cacheReadTokens };
}

interface Replayed {
  readonly prompt: SentPrompt;
  readonly step: ReplayStep;
}

/** The same call with the prompt of a replay. What the log does not hold of the prompt stands at its beginning, and is as it was. */
function replayedUsage(usage: Usage, { prompt, step }: Replayed): Usage {
  const saved = prompt.heldTokens - step.heldTokens;
  if (saved === 0 && step.unchangedTokens === undefined) return usage;
  const { inputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const fresh = inputTokens + cacheWriteTokens;
  const whole = Math.max(0, fresh + cacheReadTokens - saved);
  const unlogged = Math.max(0, fresh + cacheReadTokens - prompt.heldTokens);
  const unchanged = step.unchangedTokens === undefined ? whole - fresh : unlogged + step.unchangedTokens;
  const read = cacheReadTokens === 0 ? 0 : clamp(unchanged, 0, whole);
  // New text goes to the cache in the same proportion as it did.
  const written = fresh === 0 ? whole - read : ((whole - read) * cacheWriteTokens) / fresh;
  const { cacheWriteHourTokens: _hour, iterations: _rounds, ...rest } = usage;
  return { ...rest, cacheReadTokens: read, cacheWriteTokens: written, inputTokens: whole - read - written };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
