import type { AnatomyPart, PartKind } from "@longhaul/admin/api";
import { common } from "../strings/common.ts";
import { formatCount, formatPercent } from "../strings/format.ts";

interface ShareBarProps {
  readonly anatomy: Readonly<Record<string, number>>;
  readonly windowTokens: number;
}

export function ShareBar({ anatomy, windowTokens }: ShareBarProps) {
  const shares = sharesOf(anatomy, windowTokens);
  const used = shares.reduce((sum, { tokens }) => sum + tokens, 0);
  const whole = Math.max(1, used);
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
            {common.promptParts[part]} <span class="number">{formatCount(tokens)}</span>
            <span class="soft number">{formatPercent(tokens / whole)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

type Part = keyof typeof common.promptParts;

interface Share {
  readonly part: Part;
  readonly tokens: number;
}

/** The bar's part for each kind of content, in the order in which they are sent. Text of all roles is one part. */
const PART_OF: Readonly<Record<AnatomyPart | PartKind, Part>> = {
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
const PARTS: ReadonlyMap<string, Part> = new Map(Object.entries(PART_OF));

/** Sums the tokens of each part and adds the free rest of the window. Unknown kinds count as `other`. */
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
