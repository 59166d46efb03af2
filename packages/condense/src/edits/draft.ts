import { type Conversation, LonghaulError, type Message } from "@longhaul/conversation";
import { type Change, type KeptPiece, type Piece, pieceLength, rewriteMessage, wholeText } from "./change.ts";
import { isInside, samePath, type TextPosition, textAt } from "./text-position.ts";

/** A message of a draft: a raw one with its changes, or a generated one. */
export type Slot = KeptSlot | MadeSlot;

/** A raw message with its changes applied. */
export interface KeptSlot {
  readonly kind: "kept";
  readonly index: number;
  readonly message: Message;
  readonly changes: readonly Change[];
  /** Raw index of each remaining block. */
  readonly sources: readonly number[];
}

/** A generated message that replaces the raw messages `from` up to `to`. */
export interface MadeSlot {
  readonly kind: "made";
  readonly message: Message;
  readonly from: number;
  readonly to: number;
  /** Set if it is also about earlier messages that are not sent: the first of them. Messages of the user between them are sent. */
  readonly since?: number;
}

/** Returns the index of the first raw message that a slot covers. */
export function rawStart(slot: Slot): number {
  return slot.kind === "kept" ? slot.index : slot.from;
}

/** Returns the index after the last raw message that a slot covers. */
export function rawEnd(slot: Slot): number {
  return slot.kind === "kept" ? slot.index + 1 : slot.to;
}

/** A conversation that is being condensed, with the origin of every part in the raw one. Drafts are immutable. */
export interface Draft {
  readonly raw: Conversation;
  readonly slots: readonly Slot[];
  /** The conversation with all changes applied. */
  readonly conversation: Conversation;
}

/** A conversation as it is sent. Messages that were sent before are read only if a reference points to them. */
export interface SentMessages {
  /** Number of messages, including new ones. */
  readonly count: number;
  /** Returns the message at a position: as it was sent before, or a new one as received. */
  slotAt(position: number): Slot | undefined;
  rawAt(index: number): Message | undefined;
}

/** Returns a draft without changes; its conversation is the identical object. */
export function openDraft(raw: Conversation): Draft {
  return { raw, slots: raw.messages.map((message, index) => keptSlot(message, index, [])), conversation: raw };
}

/** Returns a draft with these slots. */
export function makeDraft(raw: Conversation, slots: readonly Slot[]): Draft {
  return { raw, slots, conversation: { ...raw, messages: slots.map((slot) => slot.message) } };
}

/** Returns a slot for the raw message at an index, with these changes applied. */
export function keptSlot(raw: Message, index: number, changes: readonly Change[]): KeptSlot {
  return { kind: "kept", index, changes, ...rewriteMessage(raw, changes) };
}

/** A raw text and the pieces that it consists of now. */
export interface Origin {
  readonly rawAt: TextPosition;
  readonly raw: string;
  readonly pieces: readonly Piece[];
}

/** Returns the raw text and the pieces of the text at a position, or undefined if it does not come from a raw text. */
export function originAt({ raw, slots }: Draft, at: TextPosition): Origin | undefined {
  const slot = slots[at.message];
  return slot?.kind === "kept" ? originIn(slot, raw.messages[slot.index], at) : undefined;
}

/** Returns the raw text and the pieces of a text in one message. */
export function originIn(
  slot: Slot,
  raw: Message | undefined,
  { block, path }: Pick<TextPosition, "block" | "path">,
): Origin | undefined {
  if (slot.kind === "made") return undefined;
  const source = slot.sources[block] ?? -1;
  const text = textAt(raw?.blocks[source] ?? NO_BLOCK, path);
  if (text === undefined) return undefined;
  const changes = slot.changes.filter((change) => change.block === source);
  if (changes.some((change) => change.kind !== "text" && isInside(path, change.path))) return undefined;
  const change = changes.find((entry) => samePath(entry.path, path));
  const rawAt = { message: slot.index, block: source, path };
  return { rawAt, raw: text, pieces: change?.kind === "text" ? change.pieces : wholeText(text) };
}

/** Returns the pieces of the text at a position. */
export function piecesAt(draft: Draft, at: TextPosition): readonly Piece[] | undefined {
  return originAt(draft, at)?.pieces;
}

/** Converts a span of text that is kept verbatim to raw coordinates. */
export function rawSpan(draft: Draft, at: TextPosition, span: KeptPiece): { target: TextPosition; span: KeptPiece } {
  const slot = draft.slots[at.message];
  const kept = locate(piecesAt(draft, at) ?? [], span);
  const block = slot?.kind === "kept" ? slot.sources[at.block] : undefined;
  if (slot?.kind !== "kept" || kept === undefined || block === undefined) {
    throw new LonghaulError("internal.bug", `a reference points to text that is not raw (message ${at.message})`);
  }
  return { target: { message: slot.index, block, path: at.path }, span: kept };
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
