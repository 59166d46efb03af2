import type { Content } from "../content/content.ts";
import { type KeptPiece, pieceLength } from "../edits/change.ts";
import type { Origin } from "../edits/draft.ts";
import { samePosition, type TextPosition } from "../edits/text-position.ts";
import { lineBreakOf, nextBreak, type Passage } from "./lines.ts";
import type { MarkBook } from "./mark-book.ts";
import type { Subject } from "./subject.ts";

/** A span of a content that is still raw: references may point to it or replace it. */
export interface Unit {
  /** Position of the text in the current conversation. */
  readonly at: TextPosition;
  /** Position of the text in the raw conversation. */
  readonly rawAt: TextPosition;
  readonly subject: Subject;
  /** Units of the same text have the same id. */
  readonly textId: number;
  /** In the coordinates of the raw text. */
  readonly passage: Passage;
  /** Offset from the raw text to the current text. */
  readonly shift: number;
  /** Whether it is the whole content, unchanged. */
  readonly isWhole: boolean;
  /** Number of its first line in the raw text, counted from 1. */
  readonly firstLine: number;
}

/** A unit with the content and the raw text that it comes from. */
export interface FoundUnit extends Unit {
  readonly content: Content;
  readonly raw: string;
}

/** Returns a function from an offset to its line number. Offsets must not decrease between calls. */
export function countLines(text: string): (position: number) => number {
  const lineBreak = lineBreakOf(text);
  let line = 1;
  let next = nextBreak(text, lineBreak, 0);
  return (position) => {
    for (; next !== -1 && next < position; next = nextBreak(text, lineBreak, next + 1)) line++;
    return line;
  };
}

interface UnitSource {
  /** Returns the raw text and the pieces of the text at a position, or undefined if it does not come from a raw text. */
  origin(at: TextPosition): Origin | undefined;
  /** Lines are compared only within a group; a content without one has no units. */
  groupOf(content: Content): string | undefined;
  subjectOf(content: Content): Subject;
  /** Receives the names and marks of all contents. */
  readonly book: MarkBook;
}

/** Returns the raw spans of contents that belong to a group, in reading order. Generated messages have none. */
export function unitsOf(contents: readonly Content[], source: UnitSource): FoundUnit[] {
  const units: FoundUnit[] = [];
  let text: RawText | undefined;
  for (const content of contents) {
    const { at } = content;
    if (text === undefined || !samePosition(text.at, at)) text = readText(source, at, (text?.textId ?? -1) + 1);
    const { origin, textId } = text;
    if (origin === undefined) continue;
    const subject = source.subjectOf(content);
    source.book.addName(subject.name);
    const group = source.groupOf(content);
    if (group === undefined) continue;
    for (const span of rawSpans(content, text, group)) {
      units.push({ at, rawAt: origin.rawAt, subject, textId, content, raw: origin.raw, ...span });
    }
  }
  return units;
}

interface RawText {
  readonly at: TextPosition;
  readonly textId: number;
  readonly origin: Origin | undefined;
  readonly lineAt: (position: number) => number;
}

function readText(source: UnitSource, at: TextPosition, textId: number): RawText {
  const origin = source.origin(at);
  for (const piece of origin?.pieces ?? []) {
    if ("made" in piece && piece.reference !== undefined) source.book.addMark(piece.made, piece.reference);
  }
  return { at, textId, origin, lineAt: countLines(origin?.raw ?? "") };
}

type RawSpan = Pick<Unit, "passage" | "shift" | "isWhole" | "firstLine">;

function rawSpans(content: Content, { origin, lineAt }: RawText, group: string): RawSpan[] {
  const { raw, pieces } = origin ?? { raw: "", pieces: [] };
  const spans: RawSpan[] = [];
  let at = 0;
  for (const piece of pieces) {
    const shift = "made" in piece ? 0 : at - piece.from;
    at += pieceLength(piece);
    if ("made" in piece) continue;
    const range = { from: content.from - shift, to: content.to - shift };
    const lines = wholeLines(raw, overlap(range, piece), range);
    if (lines.from >= lines.to) continue;
    const isWhole = lines.from === range.from && lines.to === range.to;
    spans.push({ passage: { ...lines, group }, shift, isWhole, firstLine: lineAt(lines.from) });
  }
  return spans;
}

function overlap(a: KeptPiece, b: KeptPiece): KeptPiece {
  return { from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) };
}

/**
 * Narrows a span to whole lines, except at the start and end of the content. An empty line at its edge is dropped: it may be the rest of a
 * line that was replaced.
 */
function wholeLines(text: string, { from, to }: KeptPiece, content: KeptPiece): KeptPiece {
  const lineBreak = lineBreakOf(text);
  const endsBefore = (at: number) => text.startsWith(lineBreak, at - lineBreak.length);
  const isCutBefore = from > content.from && (!endsBefore(from) || text.startsWith(lineBreak, from));
  const isCutAfter = to < content.to && (!text.startsWith(lineBreak, to) || endsBefore(to));
  const next = nextBreak(text, lineBreak, from);
  return {
    from: isCutBefore ? (next === -1 ? to : next + lineBreak.length) : from,
    to: isCutAfter ? text.lastIndexOf(lineBreak, to - 1) : to,
  };
}
