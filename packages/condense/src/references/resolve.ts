import type { Hash } from "@longhaul/conversation";
import type { Content } from "../content/content.ts";
import { decompose } from "../content/contents.ts";
import { type Change, joinPieces, type KeptPiece, type Piece, type RawReference, wholeText } from "../edits/change.ts";
import { type Draft, type KeptSlot, keptSlot, makeDraft } from "../edits/draft.ts";
import { NO_POSITION, positionKey, samePath, type TextPosition } from "../edits/text-position.ts";
import { brokenIn, type FoundReference, isSound, keptSlots, rawText, referencesIn, textIndex } from "./check.ts";
import { Lines } from "./lines.ts";
import { markerFor, type Table } from "./pointers.ts";
import { type Run, Search, textOf } from "./search.ts";
import { subjectOf } from "./subject.ts";
import { countLines, type Unit } from "./units.ts";

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

/**
 * What stands in the place of each broken reference: its text, except for lines that still stand before it, in what is left of its target
 * or where a broken reference before it is written out.
 */
export function repoint(
  draft: Draft,
  broken: readonly FoundReference[],
  hash: Hash,
): ReadonlyMap<Piece, readonly Piece[]> {
  const remains = remainsOf(draft, broken);
  const stretches = [...remains, ...broken.map(stretchOf)].sort((a, b) => compareReading(draft, a, b));
  const units = unitsAt(draft, stretches);
  const lines = new Lines((passage) => rawText(draft.raw, stretches[passage]?.place ?? NO_POSITION));
  for (const { passage } of units) lines.add(passage);
  const table = { units, lines };
  const search = new Search(lines);
  const accepts = (run: Run) => isShorter(table, run);
  const pieces = new Map<Piece, readonly Piece[]>();
  for (const [index, stretch] of stretches.entries()) {
    if (stretch.piece === undefined) search.learn(index);
    else pieces.set(stretch.piece, alternate(table, search.runsIn(index, accepts), { stretches, stretch, hash }));
  }
  return pieces;
}

/** A stretch of raw text: one that is still sent, or the one that a broken reference stands for. */
interface Stretch extends KeptPiece {
  readonly place: TextPosition;
  /** The broken reference. */
  readonly piece?: Piece;
}

function stretchOf({ slot, block, path, reference, piece }: FoundReference): Stretch {
  return { place: { message: slot.index, block, path }, ...reference.standsFor, piece };
}

function compareReading({ raw }: Draft, a: Stretch, b: Stretch): number {
  const distance = a.place.message - b.place.message || a.place.block - b.place.block;
  const block = distance === 0 ? raw.messages[a.place.message]?.blocks[a.place.block] : undefined;
  const texts = block === undefined ? distance : textIndex(block, a.place.path) - textIndex(block, b.place.path);
  return texts || a.from - b.from;
}

/** What is left of the texts that broken references point to: stretches that are still sent, and what others of them point to by now. */
function remainsOf(draft: Draft, broken: readonly FoundReference[]): Stretch[] {
  const kept = keptSlots(draft);
  const targets = new Map(broken.map(({ reference: { target } }) => [positionKey(target), target]));
  return [...targets.values()].flatMap((target) => {
    const slot = kept.get(target.message);
    return slot?.sources.includes(target.block) === true ? remainsAt(draft, { target, slot }, kept) : [];
  });
}

interface Target {
  readonly target: TextPosition;
  readonly slot: KeptSlot;
}

function remainsAt(draft: Draft, { target, slot }: Target, kept: ReadonlyMap<number, KeptSlot>): Stretch[] {
  const changes = slot.changes.filter((change) => change.block === target.block);
  if (changes.some((change) => change.kind !== "text")) return [];
  const change = changes.find((entry) => samePath(entry.path, target.path));
  const pieces = change?.kind === "text" ? change.pieces : wholeText(rawText(draft.raw, target));
  const stretches = pieces.flatMap((piece) => ("made" in piece ? [] : [{ place: target, ...piece }]));
  const detours = referencesIn(slot)
    .filter((inner) => inner.block === target.block && samePath(inner.path, target.path))
    .filter((inner) => isSound(draft, kept, inner))
    .map(({ reference: { target: place, from, to } }) => ({ place, from, to }));
  return [...detours, ...stretches];
}

function unitsAt(draft: Draft, stretches: readonly Stretch[]): Unit[] {
  const contents = new Map(
    decompose(draft.conversation.messages).contents.map((entry) => [positionKey(entry.at), entry]),
  );
  const positions = new Map(draft.slots.map((slot, position) => [slot.kind === "kept" ? slot.index : -1, position]));
  const counters = new Map<string, (position: number) => number>();
  return stretches.map(({ place, from, to }) => {
    const position = positions.get(place.message) ?? -1;
    const slot = draft.slots[position];
    const block = slot?.kind === "kept" ? slot.sources.indexOf(place.block) : -1;
    const at = { message: position, block, path: place.path };
    const text = rawText(draft.raw, place);
    const role = slot?.message.role ?? "user";
    const content: Content = contents.get(positionKey(at)) ?? { at, from, to, text, level: "text", role };
    const lineAt = counters.get(positionKey(place)) ?? countLines(text);
    counters.set(positionKey(place), lineAt);
    const isWhole = from === 0 && to === text.length;
    const passage = { from, to, group: "" };
    return { at, subject: subjectOf(content), textId: position, passage, shift: 0, isWhole, firstLine: lineAt(from) };
  });
}

const STANDALONE = { isNamed: false, isContinued: false };

function isShorter(table: Table, run: Run): boolean {
  return markerFor(table, run, STANDALONE).length < textOf(table.lines, run.from, run.to).length;
}

interface Context {
  readonly stretches: readonly Stretch[];
  readonly stretch: Stretch;
  readonly hash: Hash;
}

/** A stretch of raw text with references in it. */
function alternate(table: Table, runs: readonly Run[], context: Context): Piece[] {
  const { from, to } = context.stretch;
  const pieces: Piece[] = [];
  let at = from;
  for (const run of runs) {
    const reference = recordOf(table, run, context);
    pieces.push({ from: at, to: reference.standsFor.from }, { made: markerFor(table, run, STANDALONE), reference });
    at = reference.standsFor.to;
  }
  return [...pieces, { from: at, to }];
}

function recordOf(table: Table, run: Run, { stretches, hash }: Context): RawReference {
  const { from, to, target, ...dressings } = run;
  const end = target + to - from;
  const { place = NO_POSITION } = stretches[table.lines.passage[target] ?? -1] ?? {};
  const pointedTo = hash(textOf(table.lines, target, end));
  return {
    target: place,
    ...rawStretch(table, target, end),
    hash: pointedTo,
    standsFor: rawStretch(table, from, to),
    ...dressings,
  };
}

function rawStretch({ lines }: Table, from: number, to: number): KeptPiece {
  return { from: lines.start[from] ?? 0, to: lines.end[to - 1] ?? 0 };
}
