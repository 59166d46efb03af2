import type { Block, Conversation } from "@longhaul/conversation";
import type { MadePiece, Piece, RawReference } from "../edits/change.ts";
import type { Draft, KeptSlot, Slot } from "../edits/draft.ts";
import { type Path, samePath, type TextPosition, textIn, textsIn } from "../edits/text-position.ts";
import { reformatLines, withoutLineNumbers } from "./line-format.ts";
import { plainLines } from "./lines.ts";
import { isSameTarget } from "./mark-book.ts";

/**
 * Returns one sentence per broken reference in a draft: its target does not reproduce the replaced text, or is no longer sent. With
 * `before`, slots that are unchanged since then are not checked again.
 */
export function brokenReferences(draft: Draft, before?: Draft): string[] {
  return findBroken(draft, before).map(
    ({ slot, reference }) => `the reference in message ${slot.index} to message ${reference.target.message} is broken`,
  );
}

/** Returns the broken references of a draft. */
export function findBroken(draft: Draft, before?: Draft): FoundReference[] {
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

/** Returns the raw messages that a draft still contains, by index. */
export function keptSlots({ slots }: Draft): ReadonlyMap<number, KeptSlot> {
  return new Map(slots.filter((slot) => slot.kind === "kept").map((slot) => [slot.index, slot]));
}

/** A reference and the position of its raw text. */
export interface FoundReference {
  readonly reference: RawReference;
  readonly piece: ReferencePiece;
  readonly slot: KeptSlot;
  readonly block: number;
  readonly path: Path;
}

type ReferencePiece = MadePiece & { readonly reference: RawReference };

/** Returns the references in a message, in the order of its changes. */
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

/** Whether a reference reproduces exactly the text that it replaces, from an earlier text that is sent. */
export function isSound(draft: Draft, kept: ReadonlyMap<number, KeptSlot>, found: FoundReference): boolean {
  return pointsBackward(draft, found) && isTargetSent(found.reference, kept) && reproduces(draft, found);
}

function pointsBackward({ raw }: Draft, found: FoundReference): boolean {
  const { reference, slot } = found;
  const { target } = reference;
  const distance = target.message - slot.index || target.block - found.block;
  if (distance !== 0) return distance < 0;
  if (samePath(target.path, found.path)) return reference.to <= reference.standsFor.from;
  const block = raw.messages[slot.index]?.blocks[found.block];
  return block !== undefined && textIndex(block, target.path) < textIndex(block, found.path);
}

/** Returns the index of a text among the texts of its block. */
export function textIndex(block: Block, path: Path): number {
  return textsIn(block).findIndex((text) => samePath(text.path, path));
}

/** Whether the target is sent verbatim. */
function isTargetSent({ target, from, to }: RawReference, kept: ReadonlyMap<number, KeptSlot>): boolean {
  const slot = kept.get(target.message);
  if (!slot?.sources.includes(target.block)) return false;
  const changes = slot.changes.filter((change) => change.block === target.block);
  if (changes.some((change) => change.kind !== "text")) return false;
  const change = changes.find((entry) => samePath(entry.path, target.path));
  if (change?.kind !== "text") return true;
  return change.pieces.some((piece) => !("made" in piece) && piece.from <= from && to <= piece.to);
}

function reproduces({ raw }: Draft, { reference, slot, block, path }: FoundReference): boolean {
  const { from, to } = reference.standsFor;
  return expandReference(raw, reference) === rawText(raw, { message: slot.index, block, path }).slice(from, to);
}

/** Returns the marks that replace different texts: a model that reads one, or copies it, could mean either. */
export function ambiguousMarks(draft: Draft): string[] {
  const first = new Map<string, FoundReference>();
  const ambiguous = new Set<string>();
  for (const found of draft.slots.flatMap(referencesIn)) {
    const { made } = found.piece;
    const earlier = first.get(made) ?? found;
    first.set(made, earlier);
    if (
      !isSameTarget(earlier.reference, found.reference) &&
      replacedText(draft, earlier) !== replacedText(draft, found)
    )
      ambiguous.add(made);
  }
  return [...ambiguous];
}

/** Returns the raw text that a reference replaces, without line numbers and JSON escapes. */
export function replacedText({ raw }: Draft, { reference, slot, block, path }: FoundReference): string {
  return withoutLineNumbers(plainLines(rawText(raw, { message: slot.index, block, path }), reference.standsFor));
}

/** Reconstructs the replaced text from the reference's record, never from its mark. */
export function expandReference(
  raw: Conversation,
  reference: Omit<RawReference, "standsFor" | "hash">,
): string | undefined {
  return reformatLines(rawText(raw, reference.target).slice(reference.from, reference.to), reference);
}

/** Returns the raw text at a position, or an empty string. */
export function rawText(raw: Conversation, position: TextPosition): string {
  return textIn(raw.messages[position.message], position);
}
