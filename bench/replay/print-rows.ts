import { percent, printTable, quantile } from "../tokens/table.ts";
import type { Figures } from "./play.ts";
import type { Row } from "./rows.ts";

const HEADINGS = [
  "",
  "turns",
  "answered",
  "%",
  "overflows",
  "errors",
  "orphans",
  "condensed",
  "rewritten",
  "summaries",
  "rejected",
  "cache read",
  "prefix KB",
  "M tokens",
  "USD",
  "added ms",
  "estimates",
];

export const EXPLANATION = `
"turns" are the client's requests, "answered" those with a complete response; the client gives up after three failures in a row. "overflows" and
"errors" are what the client saw, "condensed" is the gateway's own report. The rest is measured at the upstream: tool calls and results without their
counterpart, turns that did not begin like the previous one, and how much of earlier requests they did not repeat ("prefix KB"), summaries written by
a model, rejected requests, the share of the turns' prompts read from the vendor's cache, and all tokens and costs billed, including summaries.
"added ms" is the median delay of the first byte compared with the same request sent directly to the upstream. "estimates" are the condensations whose
estimated summary cost was within 20% of the billed one, the median error, and the error of the sum; --vary makes summaries of 0.5 to 1.5 times the requested length.
Of long sessions only the first turns are played; --turns sets how many.`;

/** Prints rows of one session in one window. */
export function printRows(title: string, rows: readonly Row[]): void {
  printTable(title, HEADINGS, rows.map(cellsOf));
  for (const { name, figures } of rows) for (const problem of figures.problems) console.log(`  ${name}: ${problem}`);
}

function cellsOf({ name, figures }: Row): string[] {
  return [
    name,
    String(figures.turns),
    String(figures.answered),
    percent(figures.answered / figures.turns),
    String(figures.overflows),
    String(figures.otherErrors),
    String(figures.orphans),
    String(figures.condensations),
    String(figures.rewrites.length),
    String(figures.summaries),
    String(figures.refusals),
    percent(figures.cacheReadShare),
    (figures.changedBytes / 1_000).toFixed(1),
    (figures.upstreamTokens / 1e6).toFixed(2),
    figures.costUsd.toFixed(3),
    Number.isNaN(figures.addedMs) ? "–" : figures.addedMs.toFixed(1),
    describeEstimates(figures.estimates),
  ];
}

const NEAR = 0.2;

/** Returns how many estimates were near the billed cost, the median error, and the error of their sum. */
function describeEstimates(estimates: Figures["estimates"]): string {
  if (estimates.length === 0) return "–";
  const errors = estimates.map(({ estimatedUsd, costUsd }) => Math.abs(estimatedUsd / costUsd - 1));
  const near = errors.filter((error) => error <= NEAR).length;
  const [estimated, billed] = [sumOf(estimates, "estimatedUsd"), sumOf(estimates, "costUsd")];
  return `${near} of ${estimates.length}, ${percent(quantile(errors))}, sum ${percent(estimated / billed - 1)}`;
}

function sumOf(costs: Figures["estimates"], field: "estimatedUsd" | "costUsd"): number {
  return costs.reduce((sum, cost) => sum + cost[field], 0);
}

/** A goal, and whether it is met. */
export interface Goal {
  readonly claim: string;
  readonly holds: boolean;
}

/** The goals of every condensed session: nothing is lost, and bytes do not change between condensations. */
export function invariantsOf(where: string, { name, figures }: Row): Goal[] {
  const { turns, answered, overflows, otherErrors, orphans, condensations, rewrites } = figures;
  return [
    { claim: `${where}, ${name}: ${answered} of ${turns} turns answered`, holds: answered === turns },
    {
      claim: `${where}, ${name}: ${overflows + otherErrors} errors seen by the client`,
      holds: overflows + otherErrors === 0,
    },
    { claim: `${where}, ${name}: ${orphans} orphaned calls and results`, holds: orphans === 0 },
    {
      claim: `${where}, ${name}: ${rewrites.length} turns did not begin like the previous one, after ${condensations} condensations`,
      holds: rewrites.length <= condensations,
    },
  ];
}

/** The goal: condensing once costs less than this share of compacting on every turn. */
const SHARE_OF_RECOMPACTION = 0.5;

/** Compares a session's cost with compacting from scratch on every turn. */
export function cheaperThanRecompaction(where: string, { name, figures }: Row, recompacted: Row): Goal {
  const share = figures.costUsd / recompacted.figures.costUsd;
  const claim = `${where}, ${name}: ${share.toFixed(2)} of the cost of re-compaction each turn (goal: under ${SHARE_OF_RECOMPACTION})`;
  return { claim, holds: isWhole(figures) && share < SHARE_OF_RECOMPACTION };
}

/** Less than a tenth of a percent is rounding. */
const ROUNDING = 1.001;

/** Compares a session's cost in a window that it fits into with the uncondensed session. */
export function notMoreExpensiveThan(where: string, { name, figures }: Row, uncondensed: Row): Goal {
  const share = figures.costUsd / uncondensed.figures.costUsd;
  const claim = `${where}, ${name}: ${share.toFixed(3)} of the cost of the uncondensed session (goal: at most 1)`;
  return { claim, holds: isWhole(figures) && share <= ROUNDING };
}

/** A session that failed early is cheap for the wrong reason. */
function isWhole({ answered, turns }: Row["figures"]): boolean {
  return answered === turns;
}

/** Prints the missed goals and the number of met ones. */
export function printGoals(title: string, aims: readonly Goal[]): void {
  const failed = aims.filter(({ holds }) => !holds);
  console.log(`\n${title}: ${aims.length - failed.length} of ${aims.length} pass`);
  for (const { claim } of failed) console.log(`  FAIL  ${claim}`);
}
