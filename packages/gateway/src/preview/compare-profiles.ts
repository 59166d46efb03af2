import type { EstimateAnswer } from "@longhaul/settings";
import { type AskedSummary, costOfAsked, sizeOf } from "./asked.ts";
import type { DryRun } from "./dry-run.ts";
import type { Terms, WriterTerms } from "./terms.ts";

type Comparison = EstimateAnswer["profiles"];
type ProfileCost = Comparison["costs"][number];

/** A smaller difference is no reason to have another model write. */
const WORTH_PERCENT = 10;

/** What each profile would take for the summaries of the strategy that is set, or else of the first one that has any. */
export function compareProfiles(
  runs: readonly DryRun[],
  { choices, writers }: Pick<Terms, "choices" | "writers">,
): Comparison {
  const [{ strategy: set }] = choices;
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
