import type { Content } from "../contents.ts";
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
}

/** The raw stretches of the contents that belong to a group, in reading order. Messages of ours have none. */
export function unitsOf(view: View, groupOf: (content: Content) => string | undefined): Unit[] {
  const units: Unit[] = [];
  let previous: Place | undefined;
  let textId = 0;
  for (const content of view.contents().contents) {
    const group = view.isMade(content.at.message) ? undefined : groupOf(content);
    const origin = group === undefined ? undefined : view.origin(content.at);
    if (previous !== undefined && !samePlace(previous, content.at)) textId++;
    previous = content.at;
    if (group !== undefined && origin !== undefined) units.push(...rawUnits({ content, textId }, origin, group));
  }
  return units;
}

function rawUnits(source: Pick<Unit, "content" | "textId">, { raw, pieces }: Origin, group: string): Unit[] {
  const units: Unit[] = [];
  let at = 0;
  for (const piece of pieces) {
    if ("made" in piece) {
      at += piece.made.length;
      continue;
    }
    const shift = at - piece.from;
    at += piece.to - piece.from;
    const content = { from: source.content.from - shift, to: source.content.to - shift };
    const lines = wholeLines(raw, overlap(content, piece), content);
    const isWhole = lines.from === content.from && lines.to === content.to;
    if (lines.from < lines.to) units.push({ ...source, passage: { text: raw, ...lines, group }, shift, isWhole });
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
