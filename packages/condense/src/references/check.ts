import type { Draft, KeptSlot } from "../draft.ts";
import type { Piece, RawReference } from "../pieces.ts";
import { samePath } from "../place.ts";
import { expandReference, rawText } from "./expand.ts";

/** References in a draft that do not give back exactly what stood in their place, or whose target is no longer written out. */
export function brokenReferences(draft: Draft): string[] {
  const kept = new Map(draft.slots.filter((slot) => slot.kind === "kept").map((slot) => [slot.index, slot]));
  return [...kept.values()].flatMap((slot) =>
    referencesIn(slot)
      .filter((found) => !isWrittenOut(found.reference, kept) || !givesBack(draft, slot, found))
      .map(({ reference }) => `a reference in message ${slot.index} to message ${reference.target.message} dangles`),
  );
}

/** A reference and the raw text in which it stands. */
interface FoundReference {
  readonly reference: RawReference;
  readonly block: number;
  readonly path: readonly (string | number)[];
}

function referencesIn(slot: KeptSlot): FoundReference[] {
  return slot.changes.flatMap((change) => {
    if (change.kind !== "text") return [];
    const { block, path } = change;
    return change.pieces.flatMap((piece) => (isReference(piece) ? [{ reference: piece.reference, block, path }] : []));
  });
}

function isReference(piece: Piece): piece is Piece & { readonly reference: RawReference } {
  return "made" in piece && piece.reference !== undefined;
}

/** Whether the target stands in what will be sent, letter for letter. */
function isWrittenOut({ target, from, to }: RawReference, kept: ReadonlyMap<number, KeptSlot>): boolean {
  const slot = kept.get(target.message);
  if (!slot?.sources.includes(target.block)) return false;
  const changes = slot.changes.filter((change) => change.block === target.block);
  if (changes.some((change) => change.kind !== "text")) return false;
  const change = changes.find((entry) => samePath(entry.path, target.path));
  if (change?.kind !== "text") return true;
  return change.pieces.some((piece) => !("made" in piece) && piece.from <= from && to <= piece.to);
}

function givesBack({ raw }: Draft, slot: KeptSlot, { reference, block, path }: FoundReference): boolean {
  const { from, to } = reference.standsFor;
  return expandReference(raw, reference) === rawText(raw, { message: slot.index, block, path }).slice(from, to);
}
