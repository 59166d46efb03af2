import type { Reason } from "../edits/edit.ts";

/** What one pass did. */
export interface PassReport {
  readonly id: string;
  readonly name: string;
  readonly outcome: "applied" | "nothing-to-do" | "skipped" | "undone" | "failed";
  /** Why it was skipped, undone or failed. */
  readonly why?: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** How many edits of each kind stand. */
  readonly operations: Readonly<Partial<Record<Reason, number>>>;
  /** What the answers to its asks cost. */
  readonly costUsd: number;
  readonly milliseconds: number;
  /** What was asked for, and whether the facts of the replaced range survived. */
  readonly facts?: FactsReport;
}

/** How many of the facts in a summarised range are still there. */
export interface FactsReport {
  readonly found: number;
  readonly retainedBySummary: number;
  readonly putBack: readonly string[];
}

/** All that a condensation did, in numbers. */
export interface Report {
  /** The strategy whose result stands. */
  readonly strategy: string;
  readonly strategyName: string;
  readonly passes: readonly PassReport[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly costUsd: number;
  /** What the tokens that are gone would cost as input of one further call, less `costUsd`; 0 where no price is known. */
  readonly savedUsd: number;
  readonly milliseconds: number;
  /** Strategies that were tried before and why each gave way. */
  readonly fallbacks: readonly { readonly strategy: string; readonly why: string }[];
  readonly warnings: readonly string[];
}

/** The report in words, one line per pass. */
export function describeReport(report: Report): string {
  const lines = report.passes.filter((pass) => pass.outcome === "applied").map(describePass);
  return [
    `Context condensed using ${report.strategyName} strategy:`,
    ...lines,
    ` - Total reduction: ${percent(report)}% (saved $${report.savedUsd.toFixed(4)})`,
    ` - Time: ${(report.milliseconds / 1000).toFixed(1)} seconds`,
    ...report.fallbacks.map(({ strategy, why }) => ` - Fallback: ${strategy} gave way (${why})`),
    ...report.warnings.map((warning) => ` - Warning: ${warning}`),
  ].join("\n");
}

function describePass(pass: PassReport): string {
  return ` - ${pass.name}: ${thousands(pass.tokensBefore)} → ${thousands(pass.tokensAfter)} tokens (-${percent(pass)}%)`;
}

function percent({ tokensBefore, tokensAfter }: { tokensBefore: number; tokensAfter: number }): number {
  return tokensBefore === 0 ? 0 : Math.round((100 * (tokensBefore - tokensAfter)) / tokensBefore);
}

/** `8500` as `8,500`, whatever the machine's language. */
function thousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
