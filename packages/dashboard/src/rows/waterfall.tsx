import { inWords, spellCount, spellMs, spellUsd } from "../format.ts";
import type { FactFigures, PassFigures } from "./passes-in.ts";

interface WaterfallProps {
  readonly passes: readonly PassFigures[];
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
            <span class={`badge ${pass.outcome === "applied" ? "good" : ""}`}>{inWords(pass.outcome)}</span>
            <span class="soft small">{pass.why ?? spellOperations(pass.operations)}</span>
            <span class="number small push">
              {spellCount(pass.tokensBefore)} to {spellCount(pass.tokensAfter)}
              {pass.milliseconds === 0 ? null : (
                <span class="soft">
                  {" "}
                  · {spellMs(pass.milliseconds)}
                  {isDry ? "" : ` · ${spellUsd(pass.costUsd)}`}
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

function spellOperations(operations: PassFigures["operations"]): string {
  return Object.entries(operations)
    .map(([name, count]) => `${inWords(name).toLowerCase()} ${count} ×`)
    .join(", ");
}

interface FactsProps {
  readonly facts: FactFigures;
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
