import type { Content } from "../content.ts";
import type { Origin } from "../draft.ts";
import { type Place, samePlace } from "../place.ts";
import type { View } from "../view.ts";
import type { Passage } from "./lines.ts";

/** A stretch of a content that is still raw: it can be pointed to, and it can give way to a pointer. */
export interface Unit {
  readonly content: Content;
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

/** Tells the number of the line that a position of a text stands in; positions must not go back. */
export function countLines(text: string): (position: number) => number {
  let line = 1;
  let next = text.indexOf("\n");
  return (position) => {
    for (; next !== -1 && next < position; next = text.indexOf("\n", next + 1)) line++;
    return line;
  };
}

/** The raw stretches of the contents that belong to a group, in reading order. Messages of ours have none. */
export function unitsOf(view: View, groupOf: (content: Content) => string | undefined): Unit[] {
  const units: Unit[] = [];
  let text: RawText | undefined;
  for (const content of view.contents().contents) {
    const { at } = content;
    if (text === undefined || !samePlace(text.at, at)) text = rawTextAt(view, at, (text?.textId ?? -1) + 1);
    const group = text.origin === undefined ? undefined : groupOf(content);
    if (group !== undefined) units.push(...rawUnits(content, text, group));
  }
  return units;
}

/** A text and what is left of it. */
interface RawText {
  readonly at: Place;
  readonly textId: number;
  readonly origin: Origin | undefined;
  readonly lineAt: (position: number) => number;
}

function rawTextAt(view: View, at: Place, textId: number): RawText {
  const origin = view.isMade(at.message) ? undefined : view.origin(at);
  return { at, textId, origin, lineAt: countLines(origin?.raw ?? "") };
}

function rawUnits(content: Content, { textId, origin, lineAt }: RawText, group: string): Unit[] {
  const { raw, pieces } = origin ?? { raw: "", pieces: [] };
  const units: Unit[] = [];
  let at = 0;
  for (const piece of pieces) {
    const length = "made" in piece ? piece.made.length : piece.to - piece.from;
    const shift = "made" in piece ? 0 : at - piece.from;
    at += length;
    if ("made" in piece) continue;
    const range = { from: content.from - shift, to: content.to - shift };
    const lines = wholeLines(raw, overlap(range, piece), range);
    if (lines.from >= lines.to) continue;
    const isWhole = lines.from === range.from && lines.to === range.to;
    units.push({
      content,
      textId,
      passage: { text: raw, ...lines, group },
      shift,
      isWhole,
      firstLine: lineAt(lines.from),
    });
  }
  return units;
}

function overlap(a: Range, b: Range): Range {
  return { from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Narrows a range to whole lines, where it does not begin or end with the content. An empty line at its edge is left out: it may be what is
 * left of a line that gave way.
 */
function wholeLines(text: string, { from, to }: Range, content: Range): Range {
  const isCutBefore = from > content.from && (text[from - 1] !== "\n" || text[from] === "\n");
  const isCutBehind = to < content.to && (text[to] !== "\n" || text[to - 1] === "\n");
  const lineBreak = text.indexOf("\n", from);
  return {
    from: isCutBefore ? (lineBreak === -1 ? to : lineBreak + 1) : from,
    to: isCutBehind ? text.lastIndexOf("\n", to - 1) : to,
  };
}
