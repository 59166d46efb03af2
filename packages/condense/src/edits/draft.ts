import { type Conversation, LonghaulError, type Message } from "@longhaul/conversation";
import { type Change, type KeptPiece, type Piece, pieceLength, rewriteMessage, wholeText } from "./change.ts";
import { isInside, samePath, type TextPosition, textAt } from "./text-position.ts";

/** A message of the conversation in the making: a raw one with what was changed in it, or one of ours. */
export type Slot = KeptSlot | MadeSlot;

/** A raw message, by its index, as it reads now. */
export interface KeptSlot {
  readonly kind: "kept";
  readonly index: number;
  readonly message: Message;
  readonly changes: readonly Change[];
  /** The raw index of each block that is left. */
  readonly sources: readonly number[];
}

/** A message that stands for the raw messages `from` up to `to`. */
export interface MadeSlot {
  readonly kind: "made";
  readonly message: Message;
  readonly from: number;
  readonly to: number;
}

/** The first raw message that a message is, or stands for. */
export function rawStart(slot: Slot): number {
  return slot.kind === "kept" ? slot.index : slot.from;
}

/** One past the last raw message that a message is, or stands for. */
export function rawEnd(slot: Slot): number {
  return slot.kind === "kept" ? slot.index + 1 : slot.to;
}

/** A conversation in the making, which still knows what of it is raw. Drafts are values: every change makes a new one. */
export interface Draft {
  readonly raw: Conversation;
  readonly slots: readonly Slot[];
  /** The conversation as it reads now. */
  readonly conversation: Conversation;
}

/** A conversation as it is sent. Messages that were sent before are asked for only where something points to them. */
export interface SentMessages {
  /** How many there are, new ones included. */
  readonly count: number;
  /** The message at a position: as it was sent, or a new one as it came. */
  slotAt(position: number): Slot | undefined;
  /** The raw message at an index. */
  rawAt(index: number): Message | undefined;
}

/** A draft in which nothing has been changed; its conversation is the identical object. */
export function openDraft(raw: Conversation): Draft {
  return { raw, slots: raw.messages.map((message, index) => keptSlot(message, index, [])), conversation: raw };
}

/** A draft of these slots. */
export function makeDraft(raw: Conversation, slots: readonly Slot[]): Draft {
  return { raw, slots, conversation: { ...raw, messages: slots.map((slot) => slot.message) } };
}

/** The raw message at an index with these changes carried out. */
export function keptSlot(raw: Message, index: number, changes: readonly Change[]): KeptSlot {
  return { kind: "kept", index, changes, ...rewriteMessage(raw, changes) };
}

/** A raw text, and the pieces that it consists of now. */
export interface Origin {
  readonly raw: string;
  readonly pieces: readonly Piece[];
}

/** What the text at a place was made of; nothing where no raw text stands behind it. */
export function originAt({ raw, slots }: Draft, at: TextPosition): Origin | undefined {
  const slot = slots[at.message];
  return slot?.kind === "kept" ? originIn(slot, raw.messages[slot.index], at) : undefined;
}

/** What a text of a message was made of. */
export function originIn(
  slot: Slot,
  raw: Message | undefined,
  { block, path }: Pick<TextPosition, "block" | "path">,
): Origin | undefined {
  if (slot.kind === "made") return undefined;
  const source = slot.sources[block];
  const text = textAt(raw?.blocks[source ?? -1] ?? NO_BLOCK, path);
  if (text === undefined) return undefined;
  const changes = slot.changes.filter((change) => change.block === source);
  if (changes.some((change) => change.kind !== "text" && isInside(path, change.path))) return undefined;
  const change = changes.find((entry) => samePath(entry.path, path));
  return { raw: text, pieces: change?.kind === "text" ? change.pieces : wholeText(text) };
}

/** The pieces of the text at a place, as it reads now. */
export function piecesAt(draft: Draft, at: TextPosition): readonly Piece[] | undefined {
  return originAt(draft, at)?.pieces;
}

/** The place in the raw conversation of a stretch of text that is kept verbatim. */
export function rawSpan(
  draft: Draft,
  at: TextPosition,
  stretch: KeptPiece,
): { target: TextPosition; stretch: KeptPiece } {
  const slot = draft.slots[at.message];
  const kept = locate(piecesAt(draft, at) ?? [], stretch);
  const block = slot?.kind === "kept" ? slot.sources[at.block] : undefined;
  if (slot?.kind !== "kept" || kept === undefined || block === undefined) {
    throw new LonghaulError("internal.bug", `a reference points to text that is not raw (message ${at.message})`);
  }
  return { target: { message: slot.index, block, path: at.path }, stretch: kept };
}

function locate(pieces: readonly Piece[], { from, to }: KeptPiece): KeptPiece | undefined {
  let start = 0;
  for (const piece of pieces) {
    const length = pieceLength(piece);
    const isInside = start <= from && to <= start + length;
    if (isInside && !("made" in piece)) return { from: piece.from + from - start, to: piece.from + to - start };
    start += length;
  }
  return undefined;
}

const NO_BLOCK = { type: "redacted-thinking", data: "" } as const;
