import type { Hash } from "@longhaul/conversation";
import { type Content, decompose } from "../contents.ts";
import type { Draft } from "../draft.ts";
import type { KeptPiece, Piece, RawReference } from "../pieces.ts";
import { placeKey } from "../place.ts";
import type { FoundReference } from "./check.ts";
import { rawText } from "./expand.ts";
import { readLines } from "./lines.ts";
import { markerFor, type Table } from "./pointers.ts";
import { type Run, searchLines, textOf } from "./search.ts";
import type { Unit } from "./units.ts";

/** A reference that cannot be followed. */
export interface BrokenReference extends FoundReference {
  /** Position of its message in the draft. */
  readonly position: number;
}

/** What stands in the place of each broken reference: its text, except for lines that one of those before it has written out. */
export function repoint(draft: Draft, broken: readonly BrokenReference[], hash: Hash): Map<Piece, readonly Piece[]> {
  const contents = new Map(decompose(draft.conversation.messages).contents.map((entry) => [placeKey(entry.at), entry]));
  const units = broken.map((found) => unitOf(draft, found, contents));
  const table = { units, lines: readLines(units.map((unit) => unit.passage)) };
  const search = searchLines(table.lines, (run) => isShorter(table, run));
  return new Map(
    broken.map((found, index) => {
      const made = search.runsIn(index).map((run) => ({ run, reference: recordOf(table, run, { broken, hash }) }));
      return [found.piece, alternate(table, found.reference.standsFor, made)];
    }),
  );
}

function unitOf(draft: Draft, found: BrokenReference, contents: ReadonlyMap<string, Content>): Unit {
  const { slot, block, path, position } = found;
  const at = { message: position, block: slot.sources.indexOf(block), path };
  const text = rawText(draft.raw, { message: slot.index, block, path });
  const { from, to } = found.reference.standsFor;
  const content: Content = contents.get(placeKey(at)) ?? { at, from, to, text, level: "text", role: slot.message.role };
  const isWhole = from === 0 && to === text.length;
  return { content, textId: position, passage: { text, from, to, group: "" }, shift: 0, isWhole };
}

function isShorter(table: Table, run: Run): boolean {
  return markerFor(table, run, false).length < textOf(table.lines, run.from, run.to).length;
}

interface Context {
  readonly broken: readonly BrokenReference[];
  readonly hash: Hash;
}

function recordOf(table: Table, { from, to, target, ...dressings }: Run, { broken, hash }: Context): RawReference {
  const end = target + to - from;
  const found = broken[table.lines.passage[target] ?? 0];
  const place = { message: found?.slot.index ?? -1, block: found?.block ?? -1, path: found?.path ?? [] };
  const pointedTo = hash(textOf(table.lines, target, end));
  const stretch = stretchOf(table, target, end);
  return { target: place, ...stretch, hash: pointedTo, standsFor: stretchOf(table, from, to), ...dressings };
}

/** Rows in the coordinates of the raw text. */
function stretchOf({ lines }: Table, from: number, to: number): KeptPiece {
  return { from: lines.start[from] ?? 0, to: lines.end[to - 1] ?? 0 };
}

interface MadeRun {
  readonly run: Run;
  readonly reference: RawReference;
}

/** A stretch of raw text with references in it. */
function alternate(table: Table, { from, to }: KeptPiece, made: readonly MadeRun[]): Piece[] {
  const pieces: Piece[] = [];
  let at = from;
  for (const { run, reference } of made) {
    pieces.push({ from: at, to: reference.standsFor.from }, { made: markerFor(table, run, false), reference });
    at = reference.standsFor.to;
  }
  return [...pieces, { from: at, to }];
}
