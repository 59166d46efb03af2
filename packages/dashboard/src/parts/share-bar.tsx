import { inWords, spellCount, spellShare } from "../format.ts";
import { sharesOf } from "./window-shares.ts";

interface ShareBarProps {
  /** Tokens by part. */
  readonly anatomy: Readonly<Record<string, number>>;
  /** What the whole bar stands for; what no part takes of it is free. */
  readonly windowTokens: number;
}

/** What a window is filled with, and what is left of it. */
export function ShareBar({ anatomy, windowTokens }: ShareBarProps) {
  const shares = sharesOf(anatomy, windowTokens);
  const whole = Math.max(
    1,
    shares.reduce((sum, { tokens }) => sum + tokens, 0),
  );
  return (
    <div class="stack tight">
      <div class="share-bar" aria-hidden="true">
        {shares.map(({ part, tokens }) => (
          <i key={part} data-part={part} style={{ width: `${(100 * tokens) / whole}%` }} />
        ))}
      </div>
      <ul class="legend">
        {shares.map(({ part, tokens }) => (
          <li key={part}>
            <span class="swatch" data-part={part} />
            {inWords(part)} <span class="number">{spellCount(tokens)}</span>
            <span class="soft number">{spellShare(tokens / whole)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
