import { setImmediate as nextTurn } from "node:timers/promises";
import { STRATEGIES } from "@longhaul/condense";
import type { EstimateAnswer } from "@longhaul/settings";
import { costAsSet, savedPerCall } from "./asked.ts";
import { compareProfiles } from "./compare-profiles.ts";
import { type DryRun, dryRun } from "./dry-run.ts";
import { type Asking, type Measured, measure, tellMeasured } from "./preview-work.ts";
import { recommendStrategy } from "./recommend-strategy.ts";

/** Compares what all strategies would make of a conversation, and what all profiles would take for it. Nobody is asked for anything. */
export async function estimateWork(text: string, asking: Asking): Promise<EstimateAnswer> {
  const measured = await measure(text, asking);
  const { terms, limits } = measured;
  const runs: DryRun[] = [];
  for (const strategy of STRATEGIES) {
    runs.push(dryRun(strategy, measured));
    // Others may wait for the thread.
    await nextTurn();
  }
  return {
    ...tellMeasured(measured),
    strategies: runs.map((run) => tellRun(run, measured)),
    recommended: recommendStrategy(runs, limits),
    profiles: compareProfiles(runs, terms),
  };
}

function tellRun(
  { strategy, report, fits, asked }: DryRun,
  { terms, limits }: Measured,
): EstimateAnswer["strategies"][number] {
  const { tokensBefore, tokensAfter, passes, milliseconds } = report;
  const gone = tokensBefore - tokensAfter;
  const failure = passes.find(({ outcome }) => outcome === "failed")?.why;
  return {
    id: strategy.id,
    name: strategy.name,
    tokensAfter,
    reductionPercent: tokensBefore === 0 ? 0 : (100 * gone) / tokensBefore,
    fits,
    reachesTarget: tokensAfter <= limits.targetTokens,
    asks: asked.length,
    costUsd: costAsSet(asked, terms),
    savedPerCallUsd: savedPerCall(gone, terms.prices),
    milliseconds,
    ...(failure !== undefined && { failure }),
  };
}
