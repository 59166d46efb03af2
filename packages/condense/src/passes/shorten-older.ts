import type { TokenCounter } from "@longhaul/models";
import type { Content, Level } from "../content/content.ts";
import type { Pass } from "../contract/strategy.ts";
import { middleRange } from "./middle.ts";
import { editsOf, type Saving, savingsUntil, spliceSaving } from "./savings.ts";
import { shortenMiddle } from "./shorten.ts";

/** Old results to a page, then to a few lines, then old arguments. */
export function shortenOlderTools(startShare: number): Pass[] {
  return SHORTENINGS.map((shortening) => shortenOlder(startShare, shortening));
}

/** What to shorten, and how far. */
interface Shortening {
  readonly id: string;
  readonly name: string;
  readonly level: Exclude<Level, "text">;
  readonly keepChars: number;
}

const SHORTENINGS: readonly Shortening[] = [
  { id: "shorten-results", name: "Shorten older results", level: "result", keepChars: 1_000 },
  { id: "cut-results", name: "Cut older results down", level: "result", keepChars: 200 },
  { id: "shorten-arguments", name: "Shorten older arguments", level: "parameters", keepChars: 300 },
];

/** Shortens results or arguments in the middle of a conversation, oldest first, until the target is reached. */
function shortenOlder(startShare: number, { id, name, level, keepChars }: Shortening): Pass {
  return {
    id,
    name,
    plan: (view) => {
      const { from, to } = middleRange(view, startShare);
      const older = view
        .contents()
        .contents.filter((content) => content.level === level && from <= content.at.message && content.at.message < to);
      const savings = savingsUntil(view.tokens - view.limits.targetTokens, older, (content, overTokens) =>
        shorten(content, { keepChars, overTokens, counter: view.counter }),
      );
      return editsOf(savings);
    },
  };
}

interface Need {
  readonly keepChars: number;
  readonly overTokens: number;
  readonly counter: TokenCounter;
}

/** More than the share of the characters goes, since tokens are not spread evenly over them: a little more, or a lot. */
const SPARES = [1.1, 1.5];

/** Shortens a content as far as allowed, or only as far as needed where that is less. */
function shorten(content: Content, { keepChars, overTokens, counter }: Need): Saving | undefined {
  const cutTo = (chars: number) => spliceSaving(content, shortenMiddle(content.text, chars, content.from), counter);
  const most = cutTo(keepChars);
  if (most === undefined || most.tokens <= overTokens) return most;
  const shareOfChars = (content.text.length - keepChars) * (overTokens / most.tokens);
  const tries = SPARES.map((spare) => Math.max(keepChars, Math.floor(content.text.length - shareOfChars * spare)));
  for (const chars of tries) {
    const saving = cutTo(chars);
    if (saving !== undefined && saving.tokens >= overTokens) return saving;
  }
  return most;
}
