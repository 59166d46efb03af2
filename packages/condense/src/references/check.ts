import type { Block, Conversation } from "@longhaul/conversation";
import type { MadePiece, Piece, RawReference } from "../edits/change.ts";
import type { Draft, KeptSlot, Slot } from "../edits/draft.ts";
import { type Path, samePath, type TextPosition, textIn, textsIn } from "../edits/text-position.ts";
import { reformatLines } from "./line-format.ts";

/**
 * What is wrong with the references in a draft, each fault as a sentence: they do not give back exactly what stood in their place, or what
 * they point to is no longer written out. Where `before` is given, what stands unchanged in it is taken to have been checked.
 */
export function brokenReferences(draft: Draft, before?: Draft): string[] {
  return brokenIn(draft, before).map(
    ({ slot, reference }) => `a reference in message ${slot.index} to message ${reference.target.message} dangles`,
  );
}

/** The references in a draft that do not hold, as `brokenReferences` tells them. */
export function brokenIn(draft: Draft, before?: Draft): FoundReference[] {
  const checked = new Set<Slot>(before?.slots);
  const kept = keptSlots(draft);
  return draft.slots.flatMap((slot) =>
    referencesIn(slot)
      .filter(({ reference }) => !checked.has(slot) || !isChecked(kept.get(reference.target.message), checked))
      .filter((found) => !isSound(draft, kept, found)),
  );
}

function isChecked(slot: KeptSlot | undefined, checked: ReadonlySet<Slot>): boolean {
  return slot !== undefined && checked.has(slot);
}

/** The raw messages that a draft still holds, by their index. */
export function keptSlots({ slots }: Draft): ReadonlyMap<number, KeptSlot> {
  return new Map(slots.filter((slot) => slot.kind === "kept").map((slot) => [slot.index, slot]));
}

/** A reference and the raw text in which it stands. */
export interface FoundReference {
  readonly reference: RawReference;
  readonly piece: ReferencePiece;
  readonly slot: KeptSlot;
  readonly block: number;
  readonly path: Path;
}

/** A marker with the record of what it stands for. */
type ReferencePiece = MadePiece & { readonly reference: RawReference };

/** The references in a message, in the order of its changes. */
export function referencesIn(slot: Slot): FoundReference[] {
  if (slot.kind === "made" || slot.changes.length === 0) return [];
  return slot.changes.flatMap((change) => {
    if (change.kind !== "text") return [];
    const { block, path } = change;
    const pieces = change.pieces.filter(isReference);
    return pieces.map((piece) => ({ reference: piece.reference, piece, slot, block, path }));
  });
}

function isReference(piece: Piece): piece is ReferencePiece {
  return "made" in piece && piece.reference !== undefined;
}

/** Whether a reference gives back exactly what stood in its place, from a text further up that will be sent. */
export function isSound(draft: Draft, kept: ReadonlyMap<number, KeptSlot>, found: FoundReference): boolean {
  return pointsBack(draft, found) && isWrittenOut(found.reference, kept) && givesBack(draft, found);
}

function pointsBack({ raw }: Draft, found: FoundReference): boolean {
  const { reference, slot } = found;
  const { target } = reference;
  const distance = target.message - slot.index || target.block - found.block;
  if (distance !== 0) return distance < 0;
  if (samePath(target.path, found.path)) return reference.to <= reference.standsFor.from;
  const block = raw.messages[slot.index]?.blocks[found.block];
  return block !== undefined && textIndex(block, target.path) < textIndex(block, found.path);
}

/** The position of a text among the texts of its block. */
export function textIndex(block: Block, path: Path): number {
  return textsIn(block).findIndex((text) => samePath(text.path, path));
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

function givesBack({ raw }: Draft, { reference, slot, block, path }: FoundReference): boolean {
  const { from, to } = reference.standsFor;
  return expandReference(raw, reference) === rawText(raw, { message: slot.index, block, path }).slice(from, to);
}

/** The text that a reference stands for, told from what it points to; works from the record, never from the marker. */
export function expandReference(
  raw: Conversation,
  reference: Omit<RawReference, "standsFor" | "hash">,
): string | undefined {
  return reformatLines(rawText(raw, reference.target).slice(reference.from, reference.to), reference);
}

/** The raw text at a place, or nothing. */
export function rawText(raw: Conversation, place: TextPosition): string {
  return textIn(raw.messages[place.message], place);
}
