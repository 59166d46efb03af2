import { pureHash } from "@longhaul/conversation";
import type { Draft, KeptSlot } from "../edits/draft.ts";
import { isInside, type Path, type TextPosition, textAt, textsIn } from "../edits/text-position.ts";
import { expandConversation } from "../rewrite/expand-conversation.ts";
import { flatten } from "../rewrite/projection.ts";

/**
 * Raw texts that are not told letter for letter by what would be sent and the record alone, although every piece of them is either sent or
 * a reference.
 */
export function inexactTexts(draft: Draft): TextPosition[] {
  const projection = JSON.parse(JSON.stringify(flatten(draft, pureHash)));
  const { messages } = expandConversation(draft.conversation, projection, pureHash);
  const kept = draft.slots.filter((slot) => slot.kind === "kept");
  return kept.flatMap((slot) =>
    [...slot.sources.entries()].flatMap(([position, block]) => {
      const raw = draft.raw.messages[slot.index]?.blocks[block];
      const told = messages[slot.index]?.blocks[position];
      return (raw === undefined ? [] : textsIn(raw))
        .filter(({ path, text }) => told === undefined || textAt(told, path) !== text)
        .filter(({ path, text }) => isComplete(slot, { block, path }, text.length))
        .map(({ path }) => ({ message: slot.index, block, path }));
    }),
  );
}

/** Whether the pieces of a text, references taken for what they stand for, are all of the raw text in its order. */
function isComplete({ changes }: KeptSlot, { block, path }: { block: number; path: Path }, length: number): boolean {
  const here = changes.filter((change) => change.block === block && isInside(path, change.path));
  if (here.some((change) => change.kind !== "text")) return false;
  const pieces = here.flatMap((change) => (change.kind === "text" ? change.pieces : []));
  let at = here.length === 0 ? length : 0;
  for (const piece of pieces) {
    const { from, to } = "made" in piece ? (piece.reference?.standsFor ?? { from: -1, to: -1 }) : piece;
    if (from !== at) return false;
    at = to;
  }
  return at === length;
}
