import type { TokenCounter } from "@longhaul/models";
import type { Content } from "../content/content.ts";
import type { Edit, Splice } from "../edits/edit.ts";
import { mergeSplices } from "./operations.ts";

/** An edit and how many tokens it saves. */
export interface Saving {
  readonly edit: Edit;
  readonly tokens: number;
}

/**
 * Takes savings in order until they add up to what is over the limit. A candidate is told how much is still over; one that saves nothing is
 * passed over.
 */
export function savingsUntil<T>(
  overTokens: number,
  candidates: readonly T[],
  save: (candidate: T, overTokens: number) => Saving | undefined,
): Saving[] {
  const savings: Saving[] = [];
  let over = overTokens;
  for (const candidate of candidates) {
    if (over <= 0) break;
    const saving = save(candidate, over);
    if (saving === undefined || saving.tokens <= 0) continue;
    savings.push(saving);
    over -= saving.tokens;
  }
  return savings;
}

/** The edits of savings, with all splices of one text in one edit. */
export function editsOf(savings: readonly Saving[]): Edit[] {
  return mergeSplices(savings.map((saving) => saving.edit));
}

/** What a splice of a content saves. */
export function spliceSaving(content: Content, splice: Splice | undefined, counter: TokenCounter): Saving | undefined {
  if (splice === undefined || typeof splice.text !== "string") return undefined;
  const gone = content.text.slice(splice.from - content.from, splice.to - content.from);
  const tokens = counter.countText(gone) - counter.countText(splice.text);
  return { edit: { kind: "splice", at: content.at, splices: [splice], reason: "truncate" }, tokens };
}
