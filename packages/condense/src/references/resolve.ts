import type { Hash } from "@longhaul/conversation";
import type { Content } from "../content/content.ts";
import { decompose } from "../content/contents.ts";
import { type Change, joinPieces, type KeptPiece, type Piece, type RawReference, wholeText } from "../edits/change.ts";
import { type Draft, type KeptSlot, keptSlot, makeDraft } from "../edits/draft.ts";
import { NO_POSITION, positionKey, samePath, type TextPosition } from "../edits/text-position.ts";
import { type FoundReference, findBroken, isSound, keptSlots, rawText, referencesIn, textIndex } from "./check.ts";
import { Lines } from "./lines.ts";
import { describe } from "./mark.ts";
import { MarkBook } from "./mark-book.ts";
import type { MarkedRun } from "./plan.ts";
import { markFor, type Table, targetOf } from "./pointers.ts";
import { type Run, Search, textOf } from "./search.ts";
import { subjectOf } from "./subject.ts";
import { countLines, type Unit } from "./units.ts";

/**
 * Repairs references whose target is no longer sent unchanged, because a pass removed it or the client changed its own message. The first
 * broken reference is expanded as far as its target is gone, and later ones to the same lines point to it. A draft without broken
 * references is returned unchanged. With `before`, slots that are unchanged since then are not checked.
 */
export function resolveReferences(draft: Draft, hash: Hash, before?: Draft): Draft {
  const broken = findBroken(draft, before);
  if (broken.length === 0) return draft;
  return withSlots(draft, broken, repoint(draft, broken, hash));
}

/** Expands every reference in a draft. */
export function expandAllReferences(draft: Draft): Draft {
  const found = draft.slots.flatMap(referencesIn);
  if (found.length === 0) return draft;
  return withSlots(draft, found, new Map(found.map(({ piece, reference }) => [piece, [reference.standsFor]])));
}

/** Replaces references in a draft with other pieces. */
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

/** Replaces pieces in a message. A text that is all raw again is no longer a change. */
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
 * Returns the pieces that replace each broken reference: its text, except for lines that still occur earlier, in the rest of its target or
 * where an earlier broken reference is expanded.
 */
export function repoint(
  draft: Draft,
  broken: readonly FoundReference[],
  hash: Hash,
): ReadonlyMap<Piece, readonly Piece[]> {
  const remaining = remainingSpans(draft, broken);
  const spans = [...remaining, ...broken.map(spanOf)].sort((a, b) => compareReading(draft, a, b));
  const { units, book } = readSpans(draft, spans);
  const lines = new Lines((passage) => rawText(draft.raw, spans[passage]?.rawAt ?? NO_POSITION));
  for (const { passage } of units) lines.add(passage);
  const table = { units, lines, book };
  const search = new Search(lines);
  const pieces = new Map<Piece, readonly Piece[]>();
  for (const [index, span] of spans.entries()) {
    if (span.piece === undefined) search.learn(index);
    else pieces.set(span.piece, splitAtRuns(table, markedRuns(table, search, index), { span, hash }));
  }
  return pieces;
}

/** A span of raw text that is still sent, or that a broken reference replaces. */
interface RawSpan extends KeptPiece {
  readonly rawAt: TextPosition;
  /** The broken reference, if any. */
  readonly piece?: Piece;
}

function spanOf({ slot, block, path, reference, piece }: FoundReference): RawSpan {
  return { rawAt: { message: slot.index, block, path }, ...reference.standsFor, piece };
}

function compareReading({ raw }: Draft, a: RawSpan, b: RawSpan): number {
  const distance = a.rawAt.message - b.rawAt.message || a.rawAt.block - b.rawAt.block;
  const block = distance === 0 ? raw.messages[a.rawAt.message]?.blocks[a.rawAt.block] : undefined;
  const texts = block === undefined ? distance : textIndex(block, a.rawAt.path) - textIndex(block, b.rawAt.path);
  return texts || a.from - b.from;
}

/** Returns the remains of the targets of broken references: spans that are still sent, and the targets of references inside them. */
function remainingSpans(draft: Draft, broken: readonly FoundReference[]): RawSpan[] {
  const kept = keptSlots(draft);
  const targets = new Map(broken.map(({ reference: { target } }) => [positionKey(target), target]));
  return [...targets.values()].flatMap((target) => {
    const slot = kept.get(target.message);
    return slot?.sources.includes(target.block) === true ? remainingSpansAt(draft, { target, slot }, kept) : [];
  });
}

interface Target {
  readonly target: TextPosition;
  readonly slot: KeptSlot;
}

function remainingSpansAt(draft: Draft, { target, slot }: Target, kept: ReadonlyMap<number, KeptSlot>): RawSpan[] {
  const changes = slot.changes.filter((change) => change.block === target.block);
  if (changes.some((change) => change.kind !== "text")) return [];
  const change = changes.find((entry) => samePath(entry.path, target.path));
  const pieces = change?.kind === "text" ? change.pieces : wholeText(rawText(draft.raw, target));
  const spans = pieces.flatMap((piece) => ("made" in piece ? [] : [{ rawAt: target, ...piece }]));
  const detours = referencesIn(slot)
    .filter((inner) => inner.block === target.block && samePath(inner.path, target.path))
    .filter((inner) => isSound(draft, kept, inner))
    .map(({ reference: { target: rawAt, from, to } }) => ({ rawAt, from, to }));
  return [...detours, ...spans];
}

/** Reads spans of raw text as units, and all names and marks of the draft. */
function readSpans(draft: Draft, spans: readonly RawSpan[]): { units: Unit[]; book: MarkBook } {
  const { contents } = decompose(draft.conversation.messages);
  const known = new Map(contents.map((entry) => [positionKey(entry.at), entry]));
  const positions = new Map(draft.slots.map((slot, position) => [slot.kind === "kept" ? slot.index : -1, position]));
  const counters = new Map<string, (position: number) => number>();
  const book = new MarkBook();
  for (const content of contents) book.addName(describe(content));
  const broken = new Set(spans.map(({ piece }) => piece));
  for (const { piece, reference } of draft.slots.flatMap(referencesIn)) {
    if (!broken.has(piece)) book.addMark(piece.made, reference);
  }
  const units = spans.map(({ rawAt, from, to }) => {
    const position = positions.get(rawAt.message) ?? -1;
    const slot = draft.slots[position];
    const block = slot?.kind === "kept" ? slot.sources.indexOf(rawAt.block) : -1;
    const at = { message: position, block, path: rawAt.path };
    const text = rawText(draft.raw, rawAt);
    const role = slot?.message.role ?? "user";
    const content: Content = known.get(positionKey(at)) ?? { at, from, to, text, level: "text", role };
    const lineAt = counters.get(positionKey(rawAt)) ?? countLines(text);
    counters.set(positionKey(rawAt), lineAt);
    const isWhole = from === 0 && to === text.length;
    const passage = { from, to, group: "" };
    const subject = subjectOf(content);
    return { at, rawAt, subject, textId: position, passage, shift: 0, isWhole, firstLine: lineAt(from) };
  });
  return { units, book };
}

/** Finds the runs of a passage that become references, with their marks. */
function markedRuns(table: Table, search: Search, passage: number): MarkedRun[] {
  const marked: MarkedRun[] = [];
  search.findRuns(passage, (run) => {
    const mark = markFor(table, run);
    if (mark === undefined || mark.length >= textOf(table.lines, run.from, run.to).length) return false;
    table.book.addMark(mark, targetOf(table, run));
    marked.push([run, mark]);
    return true;
  });
  return marked;
}

interface Context {
  readonly span: RawSpan;
  readonly hash: Hash;
}

/** Splits a span of raw text at the runs that become references. */
function splitAtRuns(table: Table, runs: readonly MarkedRun[], { span, hash }: Context): Piece[] {
  const { from, to } = span;
  const pieces: Piece[] = [];
  let at = from;
  for (const [run, made] of runs) {
    const reference = recordOf(table, run, hash);
    const replaced = reference.standsFor;
    pieces.push({ from: at, to: replaced.from }, { made, reference });
    at = replaced.to;
  }
  return [...pieces, { from: at, to }];
}

function recordOf(table: Table, run: Run, hash: Hash): RawReference {
  const { lines } = table;
  const { from, to, target, ...formats } = run;
  const pointedTo = hash(textOf(lines, target, target + to - from));
  const replaced = { from: lines.start[from] ?? 0, to: lines.end[to - 1] ?? 0 };
  return { ...targetOf(table, run), hash: pointedTo, standsFor: replaced, ...formats };
}
