import { type Block, type JsonObject, type Message, type ResultBlock, textBlock } from "@longhaul/conversation";
import type { LineFormat, Splice } from "./edit.ts";
import { type Path, type TextPosition, textAt, withEntry, withoutNative, withText } from "./text-position.ts";

/** A change to one part of a raw message, in the coordinates of that message. */
export type Change =
  | { readonly kind: "text"; readonly block: number; readonly path: Path; readonly pieces: readonly Piece[] }
  | { readonly kind: "gone"; readonly block: number; readonly path: Path; readonly left?: string }
  | { readonly kind: "input"; readonly block: number; readonly path: Path; readonly input: JsonObject }
  | NoteChange;

/** The block of a change that belongs to no raw block. */
export const NO_SOURCE = -1;

/**
 * A text of the gateway at the end of a message: in the tool result at block `inside`, or else as a block of its own. It replaces nothing,
 * and no pass sees it: it is written after the last pass and again at the next condensation.
 */
export interface NoteChange {
  readonly kind: "note";
  readonly block: typeof NO_SOURCE;
  readonly path: Path;
  readonly inside?: number;
  readonly text: string;
}

/** A raw message with its changes applied, and the raw index of each of its blocks; a note's own block comes last and has none. */
interface Rewritten {
  readonly message: Message;
  readonly sources: readonly number[];
}

/** Applies changes to a raw message. Without changes the message is the identical object. */
export function rewriteMessage(message: Message, changes: readonly Change[]): Rewritten {
  if (changes.length === 0) return { message, sources: [...message.blocks.keys()] };
  const kept = message.blocks.flatMap((block, source) => {
    const rewritten = rewriteBlock(
      block,
      changes.filter((change) => change.block === source),
    );
    return rewritten === undefined ? [] : [{ block: rewritten, source }];
  });
  const sources = kept.map((entry) => entry.source);
  const note = changes.find((change) => change.kind === "note");
  const blocks = withNote(
    kept.map((entry) => entry.block),
    note,
    sources,
  );
  return { message: withoutNative({ ...message, blocks }), sources };
}

function withNote(
  blocks: readonly Block[],
  note: NoteChange | undefined,
  sources: readonly number[],
): readonly Block[] {
  if (note === undefined) return blocks;
  const added = textBlock(note.text);
  const position = note.inside === undefined ? -1 : sources.indexOf(note.inside);
  const host = blocks[position];
  if (host?.type !== "tool-result") return [...blocks, added];
  return blocks.with(position, withoutNative({ ...host, content: [...host.content, added] }));
}

/** Returns a message without its note; `changes` are those that it was sent with. */
export function withoutNote(message: Message, changes: readonly Change[], sources: readonly number[]): Message {
  const note = changes.find((change) => change.kind === "note");
  if (note === undefined) return message;
  const position = note.inside === undefined ? -1 : sources.indexOf(note.inside);
  const host = message.blocks[position];
  if (host?.type !== "tool-result") return { ...message, blocks: message.blocks.slice(0, -1) };
  return { ...message, blocks: message.blocks.with(position, { ...host, content: host.content.slice(0, -1) }) };
}

function rewriteBlock(block: Block, changes: readonly Change[]): Block | undefined {
  let current: Block | undefined = block;
  for (const change of changes) current = current === undefined ? undefined : rewritePart(current, block, change);
  return current;
}

function rewritePart(current: Block, raw: Block, change: Change): Block | undefined {
  switch (change.kind) {
    case "text":
      return withText(current, change.path, renderPieces(change.pieces, textAt(raw, change.path) ?? ""));
    case "input":
      return current.type === "tool-call" ? withoutNative({ ...current, input: change.input }) : current;
    case "gone":
      return change.path.length === 0 ? placeholderFor(current, change.left) : withoutEntry(current, change);
    case "note":
      return current;
    default:
      return change satisfies never;
  }
}

function placeholderFor(block: Block, left: string | undefined): Block | undefined {
  if (left === undefined) return undefined;
  const cache = "cache" in block && block.cache !== undefined ? { cache: block.cache } : {};
  return { ...textBlock(left), ...cache };
}

function withoutEntry(block: Block, change: Extract<Change, { kind: "gone" }>): Block {
  if (block.type !== "tool-result") return block;
  const left: ResultBlock = textBlock(change.left ?? "");
  return withEntry(block, Number(change.path[0]), () => left);
}

/** A span of the raw text that is kept, or a text that replaces one. */
export type Piece = KeptPiece | MadePiece;

/** Characters `from` up to `to` of the raw text. */
export interface KeptPiece {
  readonly from: number;
  readonly to: number;
}

/** A generated text. `reference` says where the raw text that it replaces still occurs. */
export interface MadePiece {
  readonly made: string;
  readonly reference?: RawReference;
}

/** A reference in raw coordinates, with the span that it replaces and the hash of its target. */
export interface RawReference {
  readonly target: TextPosition;
  readonly from: number;
  readonly to: number;
  readonly hash: string;
  /** The replaced span of this text. */
  readonly standsFor: KeptPiece;
  readonly targetDressing?: LineFormat;
  readonly dressing?: LineFormat;
}

/** A splice with its final text and a reference in raw coordinates. */
export interface ResolvedSplice extends Omit<Splice, "text" | "reference"> {
  readonly text: string;
  readonly reference?: Omit<RawReference, "standsFor">;
}

/** Returns the pieces of an unchanged text. */
export function wholeText(text: string): Piece[] {
  return text === "" ? [] : [{ from: 0, to: text.length }];
}

/** Returns the text that the pieces make of the raw one. */
export function renderPieces(pieces: readonly Piece[], raw: string): string {
  return pieces.map((piece) => ("made" in piece ? piece.made : raw.slice(piece.from, piece.to))).join("");
}

/** Applies splices, given in the coordinates of the rendered text, to its pieces. */
export function splicePieces(pieces: readonly Piece[], splices: readonly ResolvedSplice[]): Piece[] {
  const out: Piece[] = [];
  const takeUntil = openPieces(pieces);
  for (const splice of [...splices].sort((a, b) => a.from - b.from)) {
    append(out, takeUntil(splice.from));
    append(out, [made(splice, takeUntil(splice.to))]);
  }
  append(out, takeUntil(Number.POSITIVE_INFINITY));
  return out;
}

function made(splice: ResolvedSplice, replaced: readonly Piece[]): MadePiece {
  const only = replaced.length === 1 ? replaced[0] : undefined;
  if (splice.reference === undefined || only === undefined || "made" in only) return { made: splice.text };
  return { made: splice.text, reference: { ...splice.reference, standsFor: only } };
}

/** Returns a function that gives the pieces from the end of its last call up to an offset of the rendered text: each is read once. */
function openPieces(pieces: readonly Piece[]): (to: number) => Piece[] {
  let next = 0;
  let start = 0;
  let at = 0;
  return (to) => {
    const out: Piece[] = [];
    for (let piece = pieces[next]; piece !== undefined && start < to; piece = pieces[next]) {
      const end = start + pieceLength(piece);
      if (end > at) out.push(slice(piece, Math.max(at - start, 0), Math.min(to, end) - start));
      if (end > to) break;
      next++;
      start = end;
    }
    at = Math.max(at, to);
    return out;
  };
}

function slice(piece: Piece, from: number, to: number): Piece {
  if (!("made" in piece)) return { from: piece.from + from, to: piece.from + to };
  return from === 0 && to === piece.made.length ? piece : { made: piece.made.slice(from, to) };
}

/** Length of a piece in the rendered text, in characters. */
export function pieceLength(piece: Piece): number {
  return "made" in piece ? piece.made.length : piece.to - piece.from;
}

/** Drops empty pieces and joins adjacent spans of the raw text, so that equal texts have equal pieces. */
export function joinPieces(pieces: readonly Piece[]): Piece[] {
  const out: Piece[] = [];
  append(out, pieces);
  return out;
}

function append(out: Piece[], pieces: readonly Piece[]): void {
  for (const piece of pieces) {
    const last = out.at(-1);
    if (pieceLength(piece) === 0) continue;
    if (last !== undefined && !("made" in last) && !("made" in piece) && last.to === piece.from) {
      out[out.length - 1] = { from: last.from, to: piece.to };
    } else out.push(piece);
  }
}
