import type { View } from "../contract/view.ts";
import type { Edit } from "../edits/edit.ts";
import { droppedNote } from "../summaries/notes.ts";
import { type Range, tokensOf } from "../summaries/ranges.ts";

/** What a message costs besides its text, at most. */
const MESSAGE_OVERHEAD = 8;

/** What a note costs that stands for so many messages. */
export function noteTokens({ counter }: View, count: number): number {
  return counter.countText(droppedNote(count).parts.join("")) + MESSAGE_OVERHEAD;
}

/** Puts a note in the place of each range; one that its note would outweigh stays. */
export function dropRanges(view: View, ranges: readonly Range[]): Edit[] {
  return ranges.flatMap((range): Edit[] => {
    const count = range.to - range.from;
    if (tokensOf(view, range) <= noteTokens(view, count)) return [];
    return [{ kind: "replace", ...range, with: [droppedNote(count)], reason: "drop" }];
  });
}
