import type { Pass } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import { planCover } from "../coverage/cover.ts";
import type { ScopeShares } from "../coverage/scope.ts";
import type { Edit } from "../edits/edit.ts";
import { planBatch } from "./batch.ts";
import type { SmartConfig } from "./config.ts";
import { planIndividual } from "./individual.ts";
import type { CoverConfig, Execution, PassConfig } from "./pass-schema.ts";
import { preludeOf } from "./prelude.ts";

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
