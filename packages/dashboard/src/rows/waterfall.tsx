import { spellCount, spellMs, spellUsd } from "../format.ts";
import { inWords } from "../forms/words.ts";

/** What one pass did. */
export interface PassFigures {
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
