import { spellCount, spellShare } from "../format.ts";
import { inWords } from "../forms/words.ts";

/** What a prompt is made of, in the order in which it is sent. */
const PARTS: readonly string[] = ["system", "tools", "text", "calls", "results", "thinking", "media"];

interface ShareBarProps {
  /** Tokens by part. */
  readonly anatomy: Readonly<Record<string, number>>;
  /** What the whole bar stands for; what no part takes of it is free. */
  readonly windowTokens: number;
}

/** What a window is filled with, and what is left of it. */
export function ShareBar({ anatomy, windowTokens }: ShareBarProps) {
  const parts = PARTS.map((part) => ({ part, tokens: anatomy[part] ?? 0 })).filter(({ tokens }) => tokens > 0);
  const used = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const whole = Math.max(windowTokens, used, 1);
  const free = windowTokens > used ? [{ part: "free", tokens: windowTokens - used }] : [];
  return (
    <div class="stack tight">
      <div class="share-bar" aria-hidden="true">
        {parts.map(({ part, tokens }) => (
          <i key={part} data-part={part} style={{ width: `${(100 * tokens) / whole}%` }} />
        ))}
      </div>
      <ul class="legend">
        {[...parts, ...free].map(({ part, tokens }) => (
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
