import { formatCount, formatUsd } from "@longhaul/models/format";
import type { Reason } from "../edits/edit.ts";

/** The result of one pass. */
export interface PassReport {
  readonly id: string;
  readonly name: string;
  readonly outcome: "applied" | "nothing-to-do" | "skipped" | "undone" | "failed";
  /** Why it was skipped, undone or failed, or what went wrong while it was applied. */
  readonly why?: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Number of applied edits per kind. */
  readonly operations: Readonly<Partial<Record<Reason, number>>>;
  /** Cost of the answers to its asks. Absent if an answer has no known cost. */
  readonly costUsd?: number;
  /** Absent without a clock. */
  readonly milliseconds?: number;
  /** Facts of the summarized range, if the pass asked for a summary. */
  readonly facts?: FactsReport;
}

/** Number of facts found in a summarized range, kept by the summary, and restored below it. */
export interface FactsReport {
  readonly found: number;
  readonly retainedBySummary: number;
  readonly putBack: readonly string[];
}

/** The result of a condensation in numbers. */
export interface Report {
  /** The strategy that produced the result. */
  readonly strategy: string;
  readonly strategyName: string;
  readonly passes: readonly PassReport[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Cost of its summaries. Absent if a summary has no known cost. */
  readonly costUsd?: number;
  /** Savings of each further call: the price of the removed tokens as a cache read. Absent if no prices are known. */
  readonly savedPerCallUsd?: number;
  /** Absent without a clock. */
  readonly milliseconds?: number;
  /** Strategies tried before, and why each failed. */
  readonly fallbacks: readonly { readonly strategy: string; readonly why: string }[];
  /** Tokens below the upstream's limit that the result does not use, and why. Absent if nothing was condensed, or if they are few. */
  readonly unused?: { readonly tokens: number; readonly why: string };
  readonly warnings: readonly string[];
}

/** Describes a report, one line per pass. */
export function describeReport(report: Report): string {
  const applied = report.passes.filter((pass) => pass.outcome === "applied");
  return [
    `Context condensed using ${report.strategyName} strategy:`,
    ...applied.map(describePass),
    ...describeNotes(report, applied.at(-1)?.tokensAfter ?? report.tokensBefore),
    ` - Total reduction: ${percent(report)}%${describeSavings(report)}`,
    ...(report.unused === undefined ? [] : [describeUnused(report.unused)]),
    ...describeTime(report),
    ...report.fallbacks.map(({ strategy, why }) => ` - Fallback: ${strategy} failed (${why})`),
    ...report.warnings.map((warning) => ` - Warning: ${warning}`),
  ].join("\n");
}

function describeTime({ milliseconds }: Report): string[] {
  return milliseconds === undefined ? [] : [` - Time: ${(milliseconds / 1000).toFixed(1)} seconds`];
}

function describeSavings({ savedPerCallUsd = 0, costUsd = 0 }: Report): string {
  if (savedPerCallUsd === 0) return "";
  const summaries = costUsd === 0 ? "" : `, after ${formatUsd(costUsd)} for summaries`;
  return ` (saves ${formatUsd(savedPerCallUsd)} per call from a warm cache${summaries})`;
}

function describeUnused({ tokens, why }: NonNullable<Report["unused"]>): string {
  return ` - Left free: ${formatCount(tokens)} tokens (${why})`;
}

function describePass(pass: PassReport): string {
  return ` - ${pass.name}: ${formatCount(pass.tokensBefore)} → ${formatCount(pass.tokensAfter)} tokens (-${percent(pass)}%)`;
}

/** The note and the marks are written after the last pass, and adjacent marks are merged. */
function describeNotes({ tokensAfter }: Report, tokensBefore: number): string[] {
  if (tokensAfter === tokensBefore) return [];
  const changed = `${formatCount(Math.abs(tokensAfter - tokensBefore))} ${tokensAfter > tokensBefore ? "added" : "removed"}`;
  return [` - Note and marks: ${formatCount(tokensBefore)} → ${formatCount(tokensAfter)} tokens (${changed})`];
}

function percent({ tokensBefore, tokensAfter }: { tokensBefore: number; tokensAfter: number }): number {
  return tokensBefore === 0 ? 0 : Math.round((100 * (tokensBefore - tokensAfter)) / tokensBefore);
}

/** Returns the sum of costs, without a cost if one of them is unknown. */
export function totalCost(costs: readonly (number | undefined)[]): { readonly costUsd?: number } {
  const known = costs.filter((cost) => cost !== undefined);
  return known.length < costs.length ? {} : { costUsd: known.reduce((sum, cost) => sum + cost, 0) };
}
