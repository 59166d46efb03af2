import type { SentPrompt } from "./prompts.ts";
import { sum } from "./sum.ts";

/** How near our count of a session's prompts is to what the vendor reported. */
export interface Accuracy {
  /** Calls whose usage the log has. */
  readonly calls: number;
  /** All their prompts together, as reported. */
  readonly reportedTokens: number;
  /** The same by our own count of what the log holds, and by the reports for what it does not hold. */
  readonly countedTokens: number;
  /** The same counted from the report before, as the gateway does: only what is new in a prompt is estimated. */
  readonly anchoredTokens: number;
  /** What of `reportedTokens` the log holds. */
  readonly heldTokens: number;
  readonly unlogged: Unlogged;
}

/** What prompts had that the log does not hold, as far as the reports tell. */
interface Unlogged {
  /** From the first prompt on: system prompt, tools, what stands in another file. It is told anew after a compaction of the client's. */
  readonly fromStartTokens: number;
  /** What came in later, and how often: a prompt that grew by less than half or more than twice of what its new messages count. */
  readonly laterTokens: number;
  readonly laterSteps: number;
}

/** Compares counts with reports; nothing where the log reports nothing. */
export function accuracyOf(prompts: readonly SentPrompt[]): Accuracy | undefined {
  const reported = prompts.filter(({ reportedTokens }) => reportedTokens > 0);
  const [first] = reported;
  if (first === undefined) return undefined;
  const surprises = reported.map((prompt, index) => surpriseIn(prompt, reported[index - 1]));
  let unlogged = 0;
  const lacking = reported.map((prompt, index) => {
    const isStart = index === 0 || !prompt.continues;
    unlogged = isStart ? lackingAtStart(prompt) : unlogged + (surprises[index] ?? 0);
    return unlogged;
  });
  const counted = reported.map(({ heldTokens }, index) => heldTokens + (lacking[index] ?? 0));
  const reportedTokens = sum(reported.map((prompt) => prompt.reportedTokens));
  return {
    calls: reported.length,
    reportedTokens,
    countedTokens: sum(counted),
    anchoredTokens: sum(reported.map((prompt, index) => anchored(prompt, reported[index - 1]) ?? counted[index] ?? 0)),
    heldTokens: reportedTokens - sum(lacking),
    unlogged: {
      fromStartTokens: lackingAtStart(first),
      laterTokens: sum(surprises),
      laterSteps: surprises.filter((surprise) => surprise !== 0).length,
    },
  };
}

/** How far our count of what the log holds is off, as a share of it. */
export function heldDifference({ countedTokens, reportedTokens, heldTokens }: Accuracy): number {
  return (countedTokens - reportedTokens) / heldTokens;
}

function lackingAtStart({ reportedTokens, heldTokens }: SentPrompt): number {
  return Math.max(0, reportedTokens - heldTokens);
}

/** Tokens that came in with a prompt and can't be its messages'. */
function surpriseIn(prompt: SentPrompt, before: SentPrompt | undefined): number {
  if (before === undefined || !prompt.continues) return 0;
  const growth = prompt.reportedTokens - before.reportedTokens;
  const expected = prompt.heldTokens - before.heldTokens;
  const isInProportion = growth >= expected / 2 && growth <= expected * 2;
  return isInProportion ? 0 : growth - expected;
}

function anchored(prompt: SentPrompt, before: SentPrompt | undefined): number | undefined {
  if (before === undefined || !prompt.continues) return undefined;
  return before.reportedTokens + prompt.heldTokens - before.heldTokens;
}
