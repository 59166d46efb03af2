import type { Content } from "../content/content.ts";
import { type KeptPiece, pieceLength } from "../edits/change.ts";
import type { Origin } from "../edits/draft.ts";
import { samePosition, type TextPosition } from "../edits/text-position.ts";
import type { Passage } from "./lines.ts";
import type { Subject } from "./subject.ts";

/** A stretch of a content that is still raw: it can be pointed to, and it can give way to a pointer. */
export interface Unit {
  /** Where the text stands as it reads now. */
  readonly at: TextPosition;
  readonly subject: Subject;
  /** Tells texts apart: units of one text have the same number. */
  readonly textId: number;
  /** In the coordinates of the raw text. */
  readonly passage: Passage;
  /** What must be added to a raw position to get the position in the text as it reads now. */
  readonly shift: number;
  /** Whether it is all there is of the content, untouched. */
  readonly isWhole: boolean;
  /** The line of the raw text that it begins with, counted from 1. */
  readonly firstLine: number;
}

/** A unit with the texts that it was found in. */
export interface FoundUnit extends Unit {
  readonly content: Content;
  readonly raw: string;
}

/** Tells the number of the line that a position of a text stands in; positions must not go back. */
export function countLines(text: string): (position: number) => number {
  let line = 1;
  let next = text.indexOf("\n");
  return (position) => {
    for (; next !== -1 && next < position; next = text.indexOf("\n", next + 1)) line++;
    return line;
  };
}

/** What units are made of. */
interface UnitSource {
  /** What the text at a place was made of; nothing where no raw text stands behind it. */
  origin(at: TextPosition): Origin | undefined;
  /** Lines are compared within a group only; a content without one has no units. */
  groupOf(content: Content): string | undefined;
  subjectOf(content: Content): Subject;
}

/** The raw stretches of contents that belong to a group, in reading order. Messages of ours have none. */
export function unitsOf(contents: readonly Content[], source: UnitSource): FoundUnit[] {
  const units: FoundUnit[] = [];
  let text: RawText | undefined;
  for (const content of contents) {
    const { at } = content;
    if (text === undefined || !samePosition(text.at, at)) text = rawTextAt(source, at, (text?.textId ?? -1) + 1);
    const group = text.origin === undefined ? undefined : source.groupOf(content);
    if (group === undefined) continue;
    const subject = source.subjectOf(content);
    for (const stretch of rawStretches(content, text, group)) {
      units.push({ at, subject, textId: text.textId, content, raw: text.origin?.raw ?? "", ...stretch });
    }
  }
  return units;
}

/** A text and what is left of it. */
interface RawText {
  readonly at: TextPosition;
  readonly textId: number;
  readonly origin: Origin | undefined;
  readonly lineAt: (position: number) => number;
}

function rawTextAt(source: UnitSource, at: TextPosition, textId: number): RawText {
  const origin = source.origin(at);
  return { at, textId, origin, lineAt: countLines(origin?.raw ?? "") };
}

type RawStretch = Pick<Unit, "passage" | "shift" | "isWhole" | "firstLine">;

function rawStretches(content: Content, { origin, lineAt }: RawText, group: string): RawStretch[] {
  const { raw, pieces } = origin ?? { raw: "", pieces: [] };
  const stretches: RawStretch[] = [];
  let at = 0;
  for (const piece of pieces) {
    const shift = "made" in piece ? 0 : at - piece.from;
    at += pieceLength(piece);
    if ("made" in piece) continue;
    const range = { from: content.from - shift, to: content.to - shift };
    const lines = wholeLines(raw, overlap(range, piece), range);
    if (lines.from >= lines.to) continue;
    const isWhole = lines.from === range.from && lines.to === range.to;
    stretches.push({ passage: { ...lines, group }, shift, isWhole, firstLine: lineAt(lines.from) });
  }
  return stretches;
}

function overlap(a: KeptPiece, b: KeptPiece): KeptPiece {
  return { from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) };
}

/**
 * Narrows a range to whole lines, where it does not begin or end with the content. An empty line at its edge is left out: it may be what is
 * left of a line that gave way.
 */
function wholeLines(text: string, { from, to }: KeptPiece, content: KeptPiece): KeptPiece {
  const isCutBefore = from > content.from && (text[from - 1] !== "\n" || text[from] === "\n");
  const isCutBehind = to < content.to && (text[to] !== "\n" || text[to - 1] === "\n");
  const lineBreak = text.indexOf("\n", from);
  return {
    from: isCutBefore ? (lineBreak === -1 ? to : lineBreak + 1) : from,
    to: isCutBehind ? text.lastIndexOf("\n", to - 1) : to,
  };
}
