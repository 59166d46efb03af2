import type { Pass } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import { planCover } from "../coverage/cover.ts";
import type { ScopeShares } from "../coverage/scope.ts";
import type { Edit } from "../edits/edit.ts";
import { obsoletePass } from "../passes/obsolete.ts";
import { consolidatePass, referencesPass } from "../passes/references.ts";
import { planBatch } from "./batch.ts";
import type { PreludeConfig, SmartConfig } from "./config.ts";
import { planIndividual } from "./individual.ts";
import type { CoverConfig, Execution, PassConfig } from "./pass-schema.ts";

/** The passes of a configuration, with the prelude around them. Each runs only while the target is not reached. */
export function smartPasses({ losslessPrelude, preserveUserMessages, passes }: SmartConfig): Pass[] {
  const { before, after } = preludeOf(losslessPrelude);
  const own = passes.map((pass) => ({
    id: pass.id,
    name: pass.name,
    plan: (view: View) => planPass(view, pass, preserveUserMessages),
    applies: (view: View) => isDue(view, pass.execution),
  }));
  return [...before.map(whileOver), ...own, ...after];
}

function planPass(view: View, pass: PassConfig, preserveUserMessages: boolean): Edit[] {
  switch (pass.mode) {
    case "individual":
      return planIndividual(view, { ...pass, preserveUserMessages });
    case "batch": {
      if (pass.batchConfig.operation === "keep") return [];
      const { summarizationConfig: summarization } = pass.batchConfig;
      return planBatch(view, { selection: pass.selection, summarization, preserveUserMessages });
    }
    case "cover":
      return planCover(view, sharesOf(pass.coverConfig, preserveUserMessages));
    default:
      return pass satisfies never;
  }
}

function sharesOf(
  { tailPercent, newestPercent, userPercent }: CoverConfig,
  preserveUserMessages: boolean,
): ScopeShares {
  return { tail: tailPercent / 100, newest: newestPercent / 100, user: preserveUserMessages ? userPercent / 100 : 0 };
}

function isDue(view: View, execution: Execution): boolean {
  if (!isOver(view)) return false;
  if (execution.type === "always") return true;
  const { tokenThreshold = 0, windowPercent = 0 } = execution.condition;
  return view.tokens > tokenThreshold && view.tokens > (view.limits.windowTokens * windowPercent) / 100;
}

function isOver({ tokens, limits }: View): boolean {
  return tokens > limits.targetTokens;
}

function whileOver(pass: Pass): Pass {
  return { ...pass, applies: isOver };
}

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
