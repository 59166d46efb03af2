import type { Level } from "../contents.ts";
import { shortenMiddle } from "../shorten.ts";
import type { Pass } from "../strategy.ts";
import { middleRange } from "./middle.ts";
import { editsOf, savingsUntil, spliceSaving } from "./savings.ts";

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
      const savings = savingsUntil(view.tokens - view.limits.targetTokens, older, (content) =>
        spliceSaving(content, shortenMiddle(content.text, keepChars, content.from), view.counter),
      );
      return editsOf(savings);
    },
  };
}
