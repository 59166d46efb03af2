import type { AnatomyPart, PartKind } from "@longhaul/admin/api";
import { formatCount, formatPercent, toLabel } from "../strings/format.ts";

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
            {toLabel(part)} <span class="number">{formatCount(tokens)}</span>
            <span class="soft number">{formatPercent(tokens / whole)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** One part of a prompt, or what of the window is free. */
interface Share {
  readonly part: string;
  readonly tokens: number;
}

/** The part of the bar for each kind of content, in the order in which they are sent; who said a text makes no difference. */
const PART_OF: Readonly<Record<AnatomyPart | PartKind, string>> = {
  system: "system",
  tools: "tools",
  text: "text",
  user: "text",
  assistant: "text",
  calls: "calls",
  results: "results",
  thinking: "thinking",
  media: "media",
  other: "other",
};
const PARTS: ReadonlyMap<string, string> = new Map(Object.entries(PART_OF));

/** What a window is filled with: every token of the anatomy in one of the parts, and what is left of the window. */
export function sharesOf(anatomy: Readonly<Record<string, number>>, windowTokens: number): readonly Share[] {
  const sums = new Map([...PARTS.values()].map((part) => [part, 0]));
  for (const [name, tokens] of Object.entries(anatomy)) {
    const part = PARTS.get(name) ?? "other";
    sums.set(part, (sums.get(part) ?? 0) + tokens);
  }
  const parts = [...sums].map(([part, tokens]) => ({ part, tokens })).filter(({ tokens }) => tokens > 0);
  const free = windowTokens - parts.reduce((used, { tokens }) => used + tokens, 0);
  return free > 0 ? [...parts, { part: "free", tokens: free }] : parts;
}
