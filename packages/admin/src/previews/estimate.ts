import { setImmediate as nextTurn } from "node:timers/promises";
import {
  condenseInSteps,
  driveSync,
  expectedAnswer,
  planCondensation,
  type Reason,
  type Recommendation,
  type Report,
  STRATEGIES,
  type Strategy,
} from "@longhaul/condense";
import { sha256 } from "@longhaul/fit";
import type { EstimateAnswer } from "../api/previews.ts";
import { type AskedSummary, costAsSet, costOfAsked, measureAsk, savedPerCall, sizeOf } from "./asked.ts";
import { type Asking, type Measured, measure, type PreviewLimits, tellMeasured } from "./preview.ts";
import type { Terms, WriterTerms } from "./terms.ts";

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
    savedPerCallUsd: savedPerCall(gone, terms),
    milliseconds,
    ...(failure !== undefined && { failure }),
  };
}

/** What one strategy would make of a conversation. */
export interface DryRun {
  readonly strategy: Strategy;
  readonly report: Report;
  readonly fits: boolean;
  readonly asked: readonly AskedSummary[];
}

/** Condenses without asking anybody: summaries are as long as they will likely be, and say nothing. */
export function dryRun(strategy: Strategy, { reading, terms, counter, limits }: Measured): DryRun {
  const asked: AskedSummary[] = [];
  const running = condenseInSteps(reading.conversation, {
    ...planCondensation({ ...terms.plan, strategy, fallbacks: [], budget: limits }),
    counter,
    hash: sha256,
    now: () => performance.now(),
    isDryRun: true,
  });
  const { report, fits } = driveSync(running, (ask) => {
    asked.push(measureAsk(ask, counter));
    return expectedAnswer(ask, counter);
  });
  return { strategy, asked, report, fits };
}

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

type Comparison = EstimateAnswer["profiles"];
type ProfileCost = Comparison["costs"][number];

/** A smaller difference is no reason to have another model write. */
const WORTH_PERCENT = 10;

/** What each profile would take for the summaries of the strategy that is set, or else of the first one that has any. */
export function compareProfiles(
  runs: readonly DryRun[],
  { plan, writers }: Pick<Terms, "plan" | "writers">,
): Comparison {
  const { id: set } = planCondensation(plan).strategy;
  const summarizing = runs.filter(({ asked }) => asked.length > 0);
  const run = summarizing.find(({ strategy }) => strategy.id === set) ?? summarizing[0];
  const asked = run?.asked ?? [];
  const ownUsd = costOfAsked(asked, writers[0].prices);
  const costs = writers.map((writer) => costFor(writer, asked, ownUsd));
  return {
    strategy: run?.strategy.id ?? set,
    asks: asked.length,
    ...sizeOf(asked),
    costs,
    recommended: asked.length === 0 ? NO_SUMMARIES : recommend(costs),
  };
}

const NO_SUMMARIES = { profile: null, reason: "No strategy would have a summary written." };

function costFor(writer: WriterTerms, asked: readonly AskedSummary[], ownUsd: number | null): ProfileCost {
  const { profile = null, model, windowTokens, prices } = writer;
  const costUsd = costOfAsked(asked, prices);
  const isKnown = costUsd !== null && ownUsd !== null;
  return {
    profile,
    model,
    windowTokens,
    fits: asked.every(({ inputTokens, maxTokens }) => inputTokens + maxTokens <= windowTokens),
    costUsd,
    savedUsd: isKnown ? ownUsd - costUsd : null,
    savedPercent: isKnown ? (ownUsd === 0 ? 0 : (100 * (ownUsd - costUsd)) / ownUsd) : null,
  };
}

function recommend(costs: readonly ProfileCost[]): Comparison["recommended"] {
  const [own, ...profiles] = costs;
  if (profiles.length === 0) {
    return { profile: null, reason: "There are no profiles with an upstream and a model to choose from; add one." };
  }
  const cheaper = profiles
    .filter(({ fits, savedPercent }) => fits && (savedPercent ?? 0) >= WORTH_PERCENT)
    .toSorted((a, b) => (a.costUsd ?? 0) - (b.costUsd ?? 0))[0];
  if (cheaper === undefined) return { profile: null, reason: whyOwn(own, profiles) };
  const { profile, model, savedPercent } = cheaper;
  const saved = `${Math.round(savedPercent ?? 0)} % less than ${own?.model}`;
  return { profile, reason: `${model} reads all of it and takes ${saved}.` };
}

function whyOwn(own: ProfileCost | undefined, profiles: readonly ProfileCost[]): string {
  if (own?.costUsd === null) return `What ${own.model} costs is not known; set its prices to compare.`;
  if (!profiles.some(({ fits }) => fits)) return "No profile's window takes what is to be summarised.";
  return `No profile is at least ${WORTH_PERCENT} % cheaper than ${own?.model}.`;
}
