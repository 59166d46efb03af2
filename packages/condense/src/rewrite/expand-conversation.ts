import { type Block, type Conversation, type Hash, LonghaulError, type Message } from "@longhaul/conversation";
import { type Change, pieceLength, type RawReference, withoutNote } from "../edits/change.ts";
import { type Path, samePath, type TextPosition, textAt, withText } from "../edits/text-position.ts";
import { reformatLines } from "../references/line-format.ts";
import type { HashedChange, Projection } from "./projection.ts";

/** The part of a raw conversation that can be restored from the condensed one. */
export interface Expansion {
  /** The raw messages by index; undefined if dropped or summarized. */
  readonly messages: readonly (Message | undefined)[];
  /** Texts and blocks of these messages that were shortened or replaced and cannot be restored. */
  readonly lost: readonly TextPosition[];
}

/**
 * Expands every reference, using only the condensed conversation and its projection. Marks are never parsed, and a text counts as
 * restored only if it has the hash of the raw one. Throws `condense.failed` if a reference's target does not have its recorded hash.
 */
export function expandConversation(condensed: Conversation, projection: Projection, hash: Hash): Expansion {
  const { sent, count } = sentMessages(condensed.messages, projection);
  const lost: TextPosition[] = [];
  const messages = Array.from({ length: count }, (_, index) => {
    const message = sent.get(index);
    return message === undefined ? undefined : expandMessage(index, message, { sent, hash, lost });
  });
  return { messages, lost };
}

/** A raw message as sent, with its changes. */
interface Sent {
  readonly message: Message;
  readonly changes: readonly HashedChange[];
}

/** Returns the sent raw messages by index, and the number of raw messages. */
function sentMessages(
  messages: readonly Message[],
  { entries, messages: covered }: Projection,
): { sent: Map<number, Sent>; count: number } {
  const sent = new Map<number, Sent>();
  let at = 0;
  const take = (index: number, changes: readonly HashedChange[]): void => {
    const message = messages[at++];
    if (message !== undefined) sent.set(index, { message, changes });
  };
  for (const entry of entries) {
    if (entry.kind === "change") take(entry.index, entry.changes);
    else if (entry.kind === "made") at++;
    else for (let index = entry.from; index < entry.to; index++) take(index, []);
  }
  let count = covered;
  while (at < messages.length) take(count++, []);
  return { sent, count };
}

interface Context {
  readonly sent: ReadonlyMap<number, Sent>;
  readonly hash: Hash;
  /** Collects what cannot be restored. */
  readonly lost: TextPosition[];
}

function expandMessage(index: number, { message, changes }: Sent, context: Context): Message {
  if (changes.length === 0) return message;
  const sources = sourcesOf(message, changes);
  let { blocks } = withoutNote(message, changes, sources);
  for (const change of changes) {
    if (change.kind === "note") continue;
    const { block, path } = change;
    const position = sources.indexOf(block);
    const found = blocks[position];
    const text = change.kind === "text" && found !== undefined ? expandText(found, change, context) : undefined;
    const isRestored = text !== undefined && context.hash(text) === change.hash;
    if (!isRestored || found === undefined) context.lost.push({ message: index, block, path });
    else blocks = blocks.with(position, withText(found, path, text));
  }
  return { ...message, blocks };
}

/** Returns the raw index of each remaining block. */
function sourcesOf({ blocks }: Message, changes: readonly Change[]): number[] {
  const isGone = (block: number): boolean =>
    changes.some(
      (change) =>
        change.kind === "gone" && change.block === block && change.path.length === 0 && change.left === undefined,
    );
  let source = 0;
  return blocks.map(() => {
    while (isGone(source)) source++;
    return source++;
  });
}

/** Restores the raw text of a block that was sent with this change, or returns undefined if a piece is lost. */
function expandText(
  block: Block,
  { path, pieces }: Extract<Change, { kind: "text" }>,
  context: Context,
): string | undefined {
  const text = textAt(block, path) ?? "";
  let raw = "";
  let at = 0;
  for (const piece of pieces) {
    const length = pieceLength(piece);
    const found = "made" in piece ? expandPiece(piece.reference, context) : text.slice(at, at + length);
    if (found === undefined) return undefined;
    raw += found;
    at += length;
  }
  return raw;
}

function expandPiece(reference: RawReference | undefined, context: Context): string | undefined {
  if (reference === undefined) return undefined;
  const pointedTo = sentText(reference, context);
  if (pointedTo === undefined || context.hash(pointedTo) !== reference.hash) {
    const { message } = reference.target;
    throw new LonghaulError("condense.failed", `the target of a reference, message ${message}, has changed`);
  }
  return reformatLines(pointedTo, reference);
}

/** Returns the target text of a reference as sent. */
function sentText({ target, from, to }: RawReference, { sent }: Context): string | undefined {
  const found = sent.get(target.message);
  if (found === undefined) return undefined;
  const { message, changes } = found;
  const block = message.blocks[sourcesOf(message, changes).indexOf(target.block)];
  const text = block === undefined ? undefined : textAt(block, target.path);
  const start = positionOf(from, changes, target);
  return start === undefined ? undefined : text?.slice(start, start + to - from);
}

/** Converts a raw offset to an offset in the text as sent. */
function positionOf(
  raw: number,
  changes: readonly Change[],
  { block, path }: { block: number; path: Path },
): number | undefined {
  const change = changes.find((entry) => entry.block === block && samePath(entry.path, path));
  if (change?.kind !== "text") return change === undefined ? raw : undefined;
  let at = 0;
  for (const piece of change.pieces) {
    if (!("made" in piece) && piece.from <= raw && raw < piece.to) return at + raw - piece.from;
    at += pieceLength(piece);
  }
  return undefined;
}
