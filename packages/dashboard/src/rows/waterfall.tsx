import type { PreviewAnswer } from "@longhaul/admin/api";
import { common } from "../strings/common.ts";
import { formatDuration, formatUsd, toLabel } from "../strings/format.ts";
import { strings } from "../strings/playground.ts";

const { waterfall: texts } = strings;

interface WaterfallProps {
  readonly passes: readonly PassReport[];
  /** Whether this is a dry run, in which no pass costs anything. */
  readonly isDry?: boolean;
}

export function Waterfall({ passes, isDry = false }: WaterfallProps) {
  const most = Math.max(1, ...passes.map(({ tokensBefore }) => tokensBefore));
  return (
    <ol class="waterfall">
      {passes.map((pass, index) => (
        <li key={`${index} ${pass.id}`}>
          <div class="row">
            <strong>{pass.name}</strong>
            <span class={`badge ${pass.outcome === "applied" ? "good" : ""}`}>{texts.outcome(pass.outcome)}</span>
            <span class="soft small">{pass.why ?? describeOperations(pass.operations)}</span>
            <span class="number small push">
              {common.tokensBeforeAfter(pass.tokensBefore, pass.tokensAfter)}
              <span class="soft">{describeEffort(pass, isDry)}</span>
            </span>
          </div>
          <div class="fall" aria-hidden="true">
            <i style={{ width: `${(100 * pass.tokensAfter) / most}%` }} />
            <b style={{ width: `${(100 * Math.max(0, pass.tokensBefore - pass.tokensAfter)) / most}%` }} />
          </div>
        </li>
      ))}
    </ol>
  );
}

function describeOperations(operations: PassReport["operations"]): string {
  return Object.entries(operations)
    .map(([name, count]) => texts.operation(toLabel(name).toLowerCase(), count))
    .join(", ");
}

function describeEffort({ milliseconds, costUsd }: PassReport, isDry: boolean): string {
  if (milliseconds === 0) return "";
  return isDry
    ? texts.dry(formatDuration(milliseconds))
    : texts.spent(formatDuration(milliseconds), formatUsd(costUsd));
}

interface FactsProps {
  readonly facts: FactCounts;
  readonly lines?: readonly string[];
}

/** Shows how many facts survived a summary, and the restored ones. Renders nothing if no facts were found. */
export function Facts({ facts: { found, retainedBySummary, putBack }, lines = [] }: FactsProps) {
  if (found === 0) return null;
  return (
    <div class="stack tight">
      <h3>{texts.facts}</h3>
      <p class="soft small">{texts.retained(retainedBySummary, found, putBack)}</p>
      <FactLines lines={lines} />
    </div>
  );
}

export function FactLines({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ul class="fact-lines">
      {lines.map((line, index) => (
        <li key={`${index} ${line}`}>
          <code>{line}</code>
        </li>
      ))}
    </ul>
  );
}

type PassAnswer = PreviewAnswer["passes"][number];

/** A pass of a preview or of a stored report, whose outcomes may be others. */
export type PassReport = Omit<PassAnswer, "outcome" | "facts"> & { readonly outcome: string };

/**
 * Returns the passes of a stored report, without malformed ones. A continued condensation is added as the first pass, the note as the last
 * one.
 */
export function passesIn(report: Readonly<Record<string, unknown>>): readonly PassReport[] {
  const { passes, tokensBefore, tokensAfter } = report;
  const valid = Array.isArray(passes) ? passes.filter(isPass) : [];
  const all = typeof tokensAfter === "number" ? withNote(valid, tokensAfter) : valid;
  const startTokens = valid[0]?.tokensBefore ?? 0;
  if (startTokens === 0 || typeof tokensBefore !== "number" || tokensBefore <= startTokens) return all;
  return [
    { ...STEP, id: "earlier", name: texts.earlier, outcome: "reused", tokensBefore, tokensAfter: startTokens },
    ...all,
  ];
}

/** Adds the note, which is written after the last pass, if it makes the result larger. */
export function withNote(passes: readonly PassReport[], tokensAfter: number): readonly PassReport[] {
  const tokensBefore = passes.at(-1)?.tokensAfter ?? tokensAfter;
  if (tokensAfter <= tokensBefore) return passes;
  return [...passes, { ...STEP, id: "note", name: texts.note, outcome: "added", tokensBefore, tokensAfter }];
}

const STEP = { operations: {}, costUsd: 0, milliseconds: 0 } as const;

interface FactCounts {
  readonly found: number;
  readonly retainedBySummary: number;
  readonly putBack: number;
}

/** Sums the facts of all passes. A stored report has their counts, not their text. */
export function factsIn(report: Readonly<Record<string, unknown>>): FactCounts {
  const checked = passesIn(report)
    .map((pass) => ("facts" in pass ? pass.facts : undefined))
    .filter(isFacts);
  const sum = (read: (facts: FactCounts) => number) => checked.reduce((all, facts) => all + read(facts), 0);
  return {
    found: sum(({ found }) => found),
    retainedBySummary: sum(({ retainedBySummary }) => retainedBySummary),
    putBack: sum(({ putBack }) => putBack),
  };
}

function isFacts(value: unknown): value is FactCounts {
  if (typeof value !== "object" || value === null) return false;
  const { found, retainedBySummary, putBack }: Partial<Record<keyof FactCounts, unknown>> = value;
  return [found, retainedBySummary, putBack].every((count) => typeof count === "number");
}

function isPass(value: unknown): value is PassReport {
  if (typeof value !== "object" || value === null || !("name" in value)) return false;
  const { tokensBefore, tokensAfter, operations }: Partial<Record<keyof PassReport, unknown>> = value;
  return typeof tokensBefore === "number" && typeof tokensAfter === "number" && typeof operations === "object";
}
