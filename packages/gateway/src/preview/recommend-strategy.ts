import type { Reason } from "@longhaul/condense";
import { table } from "@longhaul/conversation";
import type { EstimateAnswer } from "@longhaul/settings";
import type { DryRun } from "./dry-run.ts";
import type { PreviewLimits } from "./preview-limits.ts";

/** Strategies in the order of how much of a conversation is left, and what speaks for each. */
const BY_WHAT_STAYS: Readonly<Record<string, string>> = table({
  lossless: "repeats alone make enough room: nothing is lost, and no summary has to be paid for",
  smart: "it makes enough room step by step, beginning with what is missed least",
  truncation: "it makes enough room with every word of the conversation kept; only what tools said is cut",
  native: "what tools said is not all that takes room, and one summary tells the rest",
  "tree-summary": "it is too long for one summary; summaries of its parts are summarised again",
  sandwich: "a summary between the beginning and the end makes enough room",
  "middle-out": "it makes enough room without a model; the beginning and the end stay",
  "sliding-window": "only the recent messages fit",
});

/** The strategy that leaves most of a conversation and still makes enough room, with the reason. */
export function recommendStrategy(
  runs: readonly DryRun[],
  { targetTokens }: Pick<PreviewLimits, "targetTokens">,
): EstimateAnswer["recommended"] {
  const ids = Object.keys(BY_WHAT_STAYS);
  const known = ids.flatMap((id) => runs.find(({ strategy }) => strategy.id === id) ?? []);
  const enough = known.find((run) => run.fits && run.report.tokensAfter <= targetTokens && isAsPromised(run));
  if (enough !== undefined) return reasonFor(enough, BY_WHAT_STAYS[enough.strategy.id] ?? "");
  const smallest = known.filter(({ fits }) => fits).toSorted((a, b) => a.report.tokensAfter - b.report.tokensAfter)[0];
  if (smallest !== undefined)
    return reasonFor(smallest, "none makes all the room that is wanted; this one comes nearest");
  return { strategy: ids[0] ?? "", reason: "None makes it fit: what must stay is larger than the window." };
}

/** What was fitted by force, because repeats alone did not do, has lost something. */
function isAsPromised({ strategy, report }: DryRun): boolean {
  if (!strategy.capabilities.lossless) return true;
  return report.passes.every(({ operations }) =>
    Object.keys(operations).every((reason) => LOSSLESS_REASONS.has(reason)),
  );
}

const LOSSLESS_REASONS: ReadonlySet<string> = new Set<Reason>(["reference", "consolidate"]);

function reasonFor({ strategy, report }: DryRun, why: string): EstimateAnswer["recommended"] {
  const percent = Math.round((100 * (report.tokensBefore - report.tokensAfter)) / Math.max(1, report.tokensBefore));
  return { strategy: strategy.id, reason: `It takes ${percent} % off: ${why}.` };
}
