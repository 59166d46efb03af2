import { type Draft, type Link, legalCuts, type Slot } from "@longhaul/condense";

/**
 * Where a compaction on demand may end short of a whole sent request: entry `i` tells whether it may stand for the messages before `i` while
 * those from `i` on are sent unchanged. What is kept begins with a message of another role than the one before it, and not with a
 * `system` message; no tool pair is split, and no kept reference points to text before the cut. The end, which stands for the whole
 * request, is legal unless a call is still open there.
 */
export function compactionCuts(draft: Draft): boolean[] {
  const { messages } = draft.conversation;
  return legalCuts(messages, referenceLinks(draft)).map((isLegal, at) => {
    if (!isLegal || at === 0) return false;
    const [before, after] = [messages[at - 1], messages[at]];
    if (after === undefined) return before?.blocks.every(({ type }) => type !== "tool-call") === true;
    return after.role !== "system" && after.role !== before?.role;
  });
}

/** A reference and the text that it points to stay or go together. */
function referenceLinks({ slots }: Draft): Link[] {
  const places = new Map(slots.flatMap((slot, at) => (slot.kind === "kept" ? [[slot.index, at] as const] : [])));
  return slots.flatMap((slot, to) =>
    targetsIn(slot).flatMap((index) => {
      const from = places.get(index);
      return from === undefined || from >= to ? [] : [{ from, to }];
    }),
  );
}

/** The raw messages that the references of a slot point to. */
function targetsIn(slot: Slot): number[] {
  if (slot.kind === "made") return [];
  return slot.changes.flatMap((change) => {
    const pieces = change.kind === "text" ? change.pieces : [];
    return pieces.flatMap((piece) => ("made" in piece && piece.reference ? [piece.reference.target.message] : []));
  });
}
