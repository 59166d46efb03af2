import type { Hash } from "@longhaul/conversation";
import type { Change } from "../edits/change.ts";
import { type Draft, type KeptSlot, keptSlot, makeDraft } from "../edits/draft.ts";
import { joinPieces, type Piece } from "../edits/pieces.ts";
import { brokenIn, type FoundReference, rawText, referencesIn } from "./check.ts";
import { repoint } from "./repoint.ts";

/**
 * Sets references right whose target is no longer sent as it was: a pass removed it, or the client changed its own message. The first such
 * reference is written out as far as nothing is left of its target, and later ones for the same lines point to it. A draft without such
 * references is returned as it is. Where `before` is given, what stands unchanged in it is taken to be right.
 */
export function resolveReferences(draft: Draft, hash: Hash, before?: Draft): Draft {
  const broken = brokenIn(draft, before);
  if (broken.length === 0) return draft;
  return withSlots(draft, broken, repoint(draft, broken, hash));
}

/** The draft with every reference written out; as it is where there is none. */
export function writeReferencesOut(draft: Draft): Draft {
  const found = draft.slots.flatMap(referencesIn);
  if (found.length === 0) return draft;
  return withSlots(draft, found, new Map(found.map(({ piece, reference }) => [piece, [reference.standsFor]])));
}

/** The draft with other pieces in the place of references. */
function withSlots(
  draft: Draft,
  found: readonly FoundReference[],
  pieces: ReadonlyMap<Piece, readonly Piece[]>,
): Draft {
  const touched = new Set(found.map(({ slot }) => slot));
  const slots = draft.slots.map((slot) =>
    slot.kind === "kept" && touched.has(slot) ? withPieces(draft, slot, pieces) : slot,
  );
  return makeDraft(draft.raw, slots);
}

/** A message with other pieces in the place of some. A text that is all raw again is no change any more. */
function withPieces(draft: Draft, slot: KeptSlot, pieces: ReadonlyMap<Piece, readonly Piece[]>): KeptSlot {
  const changes = slot.changes.flatMap((change): Change[] => {
    if (change.kind !== "text") return [change];
    const joined = joinPieces(change.pieces.flatMap((piece) => pieces.get(piece) ?? [piece]));
    const { length } = rawText(draft.raw, { message: slot.index, block: change.block, path: change.path });
    return isWhole(joined, length) ? [] : [{ ...change, pieces: joined }];
  });
  const raw = draft.raw.messages[slot.index] ?? slot.message;
  return keptSlot(raw, slot.index, changes);
}

function isWhole([only, ...others]: readonly Piece[], length: number): boolean {
  return only !== undefined && others.length === 0 && !("made" in only) && only.from === 0 && only.to === length;
}
