import type { Edit } from "../edit.ts";
import { droppedNote } from "../notes.ts";
import { type Range, tokensOf } from "../ranges.ts";
import type { View } from "../view.ts";

/** What a message costs besides its text, at most. */
const MESSAGE_OVERHEAD = 8;

/** Puts a note in the place of each range; one that its note would outweigh stays. */
export function dropRanges(view: View, ranges: readonly Range[]): Edit[] {
  return ranges.flatMap((range): Edit[] => {
    const note = droppedNote(range.to - range.from);
    const noteTokens = view.counter.countText(note.parts.join("")) + MESSAGE_OVERHEAD;
    return tokensOf(view, range) <= noteTokens ? [] : [{ kind: "replace", ...range, with: [note], reason: "drop" }];
  });
}
