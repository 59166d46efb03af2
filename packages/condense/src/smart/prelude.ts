import type { Pass } from "../contract/strategy.ts";
import { consolidatePass } from "../passes/consolidate.ts";
import { obsoletePass } from "../passes/obsolete.ts";
import { referencesPass } from "../passes/references.ts";
import type { PreludeConfig } from "./config.ts";

/** What stands before the passes of a configuration and what stands behind them. */
export interface Frame {
  readonly before: readonly Pass[];
  readonly after: readonly Pass[];
}

/**
 * The lossless prelude. It only tells whether more is needed: where it reaches the target it stands, else the passes begin with the raw
 * texts and references are made on what they leave. What is obsolete goes first and for good.
 */
export function preludeOf({ enabled, operations }: PreludeConfig): Frame {
  if (!enabled) return { before: [], after: [] };
  const obsolete = operations.removeObsoleteState ? [obsoletePass] : [];
  const lossless = losslessPass(operations);
  if (lossless === undefined) return { before: obsolete, after: [] };
  const trial: Pass = { ...lossless, id: "prelude", name: "Lossless prelude", isTrial: true };
  return { before: [...obsolete, trial], after: [lossless] };
}

function losslessPass({ deduplicateFileReads, consolidateToolResults }: PreludeConfig["operations"]): Pass | undefined {
  if (deduplicateFileReads) return referencesPass({ references: "results", consolidates: consolidateToolResults });
  return consolidateToolResults ? consolidatePass : undefined;
}
