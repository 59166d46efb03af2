import { setImmediate as nextTurn } from "node:timers/promises";
import {
  condenseInSteps,
  driveSync,
  expectedAnswer,
  guideOf,
  planCondensation,
  type Reason,
  type Recommendation,
  type Report,
  STRATEGIES,
  type Strategy,
} from "@longhaul/condense/advanced";
import { sha256 } from "@longhaul/fit";
import type { EstimateAnswer } from "../api/previews.ts";
import { configuredCost, costOfAsks, type MeasuredAsk, measureAsk, sizeOfAsks } from "./asks.ts";
import { type JobContext, type Measured, measure, measuredAnswer, type PreviewLimits } from "./preview.ts";
import type { Terms, WriterTerms } from "./protocol.ts";

/** Compares the results of all strategies, and the price of summaries with all profiles, without model calls. */
export async function estimate(text: string, context: JobContext): Promise<EstimateAnswer> {
  const measured = await measure(text, context);
  const { terms, limits } = measured;
  const runs: DryRun[] = [];
  for (const strategy of STRATEGIES) {
    runs.push(dryRun(strategy, measured));
    // Lets other jobs of the thread run.
    await nextTurn();
  }
  return {
    ...measuredAnswer(measured),
    strategies: runs.map((run) => runAnswer(run, measured)),
    recommended: recommendStrategy(runs, limits),
    profiles: compareProfiles(runs, terms),
  };
}

function runAnswer({ strategy, report, fits, asked }: DryRun, { terms, limits }: Measured) {
  const { tokensBefore, tokensAfter, passes, savedPerCallUsd = null, milliseconds = 0 } = report;
  const removed = tokensBefore - tokensAfter;
  const failure = passes.find(({ outcome }) => outcome === "failed")?.why;
  return {
    id: strategy.id,
    name: strategy.name,
    tokensAfter,
    reductionPercent: tokensBefore === 0 ? 0 : (100 * removed) / tokensBefore,
    fits,
    reachesTarget: tokensAfter <= limits.targetTokens,
    asks: asked.length,
    costUsd: configuredCost(asked, terms),
    savedPerCallUsd,
    milliseconds,
    ...(failure !== undefined && { failure }),
  };
}

export interface DryRun {
  readonly strategy: Strategy;
  readonly report: Report;
  readonly fits: boolean;
  readonly asked: readonly MeasuredAsk[];
}

/** Condenses without model calls: summaries are placeholders of the expected length. */
export function dryRun(strategy: Strategy, { reading, terms, counter, limits }: Measured): DryRun {
  const asked: MeasuredAsk[] = [];
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

/** Recommends the strategy that keeps most of a conversation and still frees enough room. */
export function recommendStrategy(
  runs: readonly DryRun[],
  { targetTokens }: Pick<PreviewLimits, "targetTokens">,
): EstimateAnswer["recommended"] {
  const ranked = runs.flatMap(rankedRun).sort((a, b) => a.rank - b.rank);
  const enough = ranked.find(({ run }) => run.fits && run.report.tokensAfter <= targetTokens && isAsPromised(run));
  if (enough !== undefined) return reasonFor(enough.run, enough.reason);
  const fitting = ranked.filter(({ run }) => run.fits).map(({ run }) => run);
  const smallest = fitting.toSorted((a, b) => a.report.tokensAfter - b.report.tokensAfter)[0];
  if (smallest !== undefined) return reasonFor(smallest, "no strategy reaches the target; this one comes closest");
  const strategy = ranked[0]?.run.strategy.id ?? "";
  return { strategy, reason: "No strategy makes the conversation fit: its protected parts alone exceed the window." };
}

/** Adds a strategy's recommendation to its run; empty if it is never recommended. */
function rankedRun(run: DryRun): (Recommendation & { readonly run: DryRun })[] {
  const { recommendation } = guideOf(run.strategy);
  return recommendation === undefined ? [] : [{ ...recommendation, run }];
}

/** A lossless strategy that had to cut mechanically, because references were not enough, has lost something. */
function isAsPromised({ strategy, report }: DryRun): boolean {
  if (!strategy.capabilities.lossless) return true;
  return report.passes.every(({ operations }) =>
    Object.keys(operations).every((reason) => LOSSLESS_REASONS.has(reason)),
  );
}

const LOSSLESS_REASONS: ReadonlySet<string> = new Set<Reason>(["reference", "consolidate"]);

function reasonFor({ strategy, report }: DryRun, why: string): EstimateAnswer["recommended"] {
  const percent = Math.round((100 * (report.tokensBefore - report.tokensAfter)) / Math.max(1, report.tokensBefore));
  return { strategy: strategy.id, reason: `Saves ${percent}% of the tokens: ${why}.` };
}

type Comparison = EstimateAnswer["profiles"];
type ProfileCost = Comparison["costs"][number];

/** A smaller difference does not justify another model. */
const WORTH_PERCENT = 10;

/** Compares the price of summaries with each profile, for the configured strategy, else for the first one that has summaries. */
export function compareProfiles(
  runs: readonly DryRun[],
  { plan, writers }: Pick<Terms, "plan" | "writers">,
): Comparison {
  const { id: set } = planCondensation(plan).strategy;
  const summarizing = runs.filter(({ asked }) => asked.length > 0);
  const run = summarizing.find(({ strategy }) => strategy.id === set) ?? summarizing[0];
  const asked = run?.asked ?? [];
  const ownUsd = costOfAsks(asked, writers[0]);
  const costs = writers.map((writer) => costFor(writer, asked, ownUsd));
  return {
    strategy: run?.strategy.id ?? set,
    asks: asked.length,
    ...sizeOfAsks(asked),
    costs,
    recommended: asked.length === 0 ? NO_SUMMARIES : recommend(costs),
  };
}

const NO_SUMMARIES = { profile: null, reason: "No strategy needs a summary." };

function costFor(writer: WriterTerms, asked: readonly MeasuredAsk[], ownUsd: number | null): ProfileCost {
  const { profile = null, model, windowTokens } = writer;
  const costUsd = costOfAsks(asked, writer);
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
    return { profile: null, reason: "No profile has an upstream and a model; add one." };
  }
  const cheaper = profiles
    .filter(({ fits, savedPercent }) => fits && (savedPercent ?? 0) >= WORTH_PERCENT)
    .toSorted((a, b) => (a.costUsd ?? 0) - (b.costUsd ?? 0))[0];
  if (cheaper === undefined) return { profile: null, reason: whyOwn(own, profiles) };
  const { profile, model, savedPercent } = cheaper;
  const saved = `${Math.round(savedPercent ?? 0)}% less than ${own?.model}`;
  return { profile, reason: `${model} has a large enough window and costs ${saved}.` };
}

function whyOwn(own: ProfileCost | undefined, profiles: readonly ProfileCost[]): string {
  if (own?.costUsd === null) return `The price of ${own.model} is unknown; set its prices to compare.`;
  if (!profiles.some(({ fits }) => fits)) return "No profile's window is large enough for the messages to summarize.";
  return `No profile is at least ${WORTH_PERCENT}% cheaper than ${own?.model}.`;
}
