import { percent, printTable } from "../tokens/table.ts";
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
  "refused",
  "cache read",
  "prefix KB",
  "M tokens",
  "USD",
  "added ms",
];

/** What the columns mean. */
export const EXPLANATION = `
"turns" are the requests that a client made, "answered" those that got a whole answer; it gives up after three failures in a row.
"overflows" and "errors" are what the client saw, "condensed" what the gateway says of itself. The rest is seen from the upstream: tool
calls and results without each other, turns that began otherwise than the one before, and how much of what was told before had to be told
anew ("prefix KB"), summaries that a model wrote, requests that were refused, the share of the turns' prompts that came from the vendor's
cache; all tokens and all money that were billed, summaries included. "added ms" is the median of the first byte's delay against the same request sent straight to the upstream.
Of long sessions the first turns are played; --turns says how many.`;

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
    figures.addedMs.toFixed(1),
  ];
}
