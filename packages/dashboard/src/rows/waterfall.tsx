import { formatCount, formatDuration, formatUsd, toLabel } from "../strings/format.ts";

interface WaterfallProps {
  readonly passes: readonly PassReport[];
  /** Whether nobody was asked for anything, so that no pass has cost anything. */
  readonly isDry?: boolean;
}

/** How a conversation became smaller, pass by pass. */
export function Waterfall({ passes, isDry = false }: WaterfallProps) {
  const most = Math.max(1, ...passes.map(({ tokensBefore }) => tokensBefore));
  return (
    <ol class="waterfall">
      {passes.map((pass, index) => (
        <li key={`${index} ${pass.id}`}>
          <div class="row">
            <strong>{pass.name}</strong>
            <span class={`badge ${pass.outcome === "applied" ? "good" : ""}`}>{toLabel(pass.outcome)}</span>
            <span class="soft small">{pass.why ?? spellOperations(pass.operations)}</span>
            <span class="number small push">
              {formatCount(pass.tokensBefore)} to {formatCount(pass.tokensAfter)}
              {pass.milliseconds === 0 ? null : (
                <span class="soft">
                  {" "}
                  · {formatDuration(pass.milliseconds)}
                  {isDry ? "" : ` · ${formatUsd(pass.costUsd)}`}
                </span>
              )}
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

function spellOperations(operations: PassReport["operations"]): string {
  return Object.entries(operations)
    .map(([name, count]) => `${toLabel(name).toLowerCase()} ${count} ×`)
    .join(", ");
}

interface FactsProps {
  readonly facts: FactCounts;
  /** What was put back, where that is known. */
  readonly lines?: readonly string[];
}

/** The facts that were checked after a summary, and those that were put back. Nothing where none was found. */
export function Facts({ facts: { found, retainedBySummary, putBack }, lines = [] }: FactsProps) {
  if (found === 0) return null;
  return (
    <div class="stack tight">
      <h3>Facts</h3>
      <p class="soft small">
        {retainedBySummary} of {found} paths, names, numbers and constraints survived the summary, {putBack}{" "}
        {putBack === 1 ? "was" : "were"} put back.
      </p>
      <FactLines lines={lines} />
    </div>
  );
}

/** Facts in the words in which they were put back. */
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

/** What one pass did. */
export interface PassReport {
  readonly id: string;
  readonly name: string;
  readonly outcome: string;
  readonly why?: string | undefined;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly operations: Readonly<Record<string, number>>;
  readonly costUsd: number;
  readonly milliseconds: number;
}

/**
 * The passes of a report as it was kept; what is not of their shape is left out. Where they began with what an earlier condensation had
 * left, that one comes first.
 */
export function passesIn({ passes, tokensBefore }: Readonly<Record<string, unknown>>): readonly PassReport[] {
  const made = Array.isArray(passes) ? passes.filter(isPass) : [];
  const begunWith = made[0]?.tokensBefore ?? 0;
  if (begunWith === 0 || typeof tokensBefore !== "number" || tokensBefore <= begunWith) return made;
  return [{ ...EARLIER, tokensBefore, tokensAfter: begunWith }, ...made];
}

const EARLIER = {
  id: "earlier",
  name: "Earlier condensation",
  outcome: "reused",
  operations: {},
  costUsd: 0,
  milliseconds: 0,
} as const;

/** Facts of a conversation, and what became of them when it was summarised. */
export interface FactCounts {
  readonly found: number;
  readonly retainedBySummary: number;
  /** How many were put back. */
  readonly putBack: number;
}

/** The facts that the passes of a report checked, all together. A report that is kept says how many they are, not what they say. */
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
  return (
    typeof value === "object" &&
    value !== null &&
    "found" in value &&
    typeof value.found === "number" &&
    "retainedBySummary" in value &&
    typeof value.retainedBySummary === "number" &&
    "putBack" in value &&
    typeof value.putBack === "number"
  );
}

function isPass(value: unknown): value is PassReport {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    "tokensBefore" in value &&
    typeof value.tokensBefore === "number" &&
    "tokensAfter" in value &&
    typeof value.tokensAfter === "number" &&
    "operations" in value &&
    typeof value.operations === "object"
  );
}
