import type { Reason, Recommendation } from "@longhaul/condense";
import type { EstimateAnswer } from "@longhaul/settings";
import type { DryRun } from "./dry-run.ts";
import type { PreviewLimits } from "./preview-limits.ts";

/** The strategy that leaves most of a conversation and still makes enough room, with the reason. */
export function recommendStrategy(
  runs: readonly DryRun[],
  { targetTokens }: Pick<PreviewLimits, "targetTokens">,
): EstimateAnswer["recommended"] {
  const ranked = runs.flatMap(rankedRun).sort((a, b) => a.rank - b.rank);
  const enough = ranked.find(({ run }) => run.fits && run.report.tokensAfter <= targetTokens && isAsPromised(run));
  if (enough !== undefined) return reasonFor(enough.run, enough.reason);
  const fitting = ranked.filter(({ run }) => run.fits).map(({ run }) => run);
  const smallest = fitting.toSorted((a, b) => a.report.tokensAfter - b.report.tokensAfter)[0];
  if (smallest !== undefined)
    return reasonFor(smallest, "none makes all the room that is wanted; this one comes nearest");
  const strategy = ranked[0]?.run.strategy.id ?? "";
  return { strategy, reason: "None makes it fit: what must stay is larger than the window." };
}

/** A run with what its strategy says for itself; nothing where the strategy is never recommended. */
function rankedRun(run: DryRun): (Recommendation & { readonly run: DryRun })[] {
  const { recommendation } = run.strategy.guide;
  return recommendation === undefined ? [] : [{ ...recommendation, run }];
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
