import type { LineFormat } from "../edits/edit.ts";
import { type LineFormats, type LineNumber, readLineNumber, unformattedLine } from "./line-format.ts";
import type { Lines } from "./lines.ts";

/** Line formats of two lines with the same content; empty if the lines are identical. */
export interface Pairing {
  readonly here: LineFormat;
  readonly there: LineFormat;
}

const VERBATIM: Pairing = { here: {}, there: {} };

/** Pairs the lines in two rows. Returns undefined if one cannot be converted exactly to the other. */
export function pairRows(lines: Lines, here: number, there: number): Pairing | undefined {
  if (lines.lineHash[here] === lines.lineHash[there]) return VERBATIM;
  return pairLines(lineAt(lines, here), lineAt(lines, there));
}

function lineAt(lines: Lines, row: number): string {
  return lines.textOf(lines.passage[row] ?? 0).slice(lines.start[row], lines.end[row]);
}

/** Pairs two lines with the same content. Returns undefined if one cannot be converted exactly to the other. */
export function pairLines(here: string, there: string): Pairing | undefined {
  const endsHere = here.endsWith("\r");
  const endsThere = there.endsWith("\r");
  const left = readSide(here);
  const right = readSide(there);
  const common = commonEnding(left.blanks, right.blanks);
  const numberHere = numberingOf(left, common);
  const numberThere = numberingOf(right, common);
  if (numberHere === undefined || numberThere === undefined) return undefined;
  return {
    here: { ...numberHere, ...(endsHere && !endsThere ? { ending: "\r" } : {}) },
    there: { ...numberThere, ...(endsThere && !endsHere ? { ending: "\r" } : {}) },
  };
}

interface Side {
  readonly number: LineNumber | undefined;
  /** Blanks before the content; the part that both lines share belongs to the content. */
  readonly blanks: string;
  readonly isPadded: boolean;
}

function readSide(line: string): Side {
  const number = readLineNumber(line);
  const blanks = number?.blanks ?? /^[ \t]*/.exec(line)?.[0] ?? "";
  return { number, blanks, isPadded: line.startsWith(" ") };
}

function commonEnding(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) length++;
  return length;
}

/** Returns undefined if a line without a number has extra indentation. */
function numberingOf({ number, blanks, isPadded }: Side, common: number): LineFormat | undefined {
  const own = blanks.slice(0, blanks.length - common);
  if (number === undefined) return own === "" ? {} : undefined;
  const width = isPadded ? number.width : 0;
  return { numbering: { first: number.value, width, separator: number.separator + own } };
}

/** Whether the lines `offset` rows after a pair have the same pairing. */
export function continues(lines: Lines, rows: { here: number; there: number }, paired: Paired): boolean {
  const { pairing, offset } = paired;
  const here = rows.here + offset;
  const there = rows.there + offset;
  if (pairing === VERBATIM) return lines.lineHash[here] === lines.lineHash[there];
  const bare = unformattedLine(lineAt(lines, here), pairing.here, offset);
  return bare !== undefined && bare === unformattedLine(lineAt(lines, there), pairing.there, offset);
}

interface Paired {
  readonly pairing: Pairing;
  readonly offset: number;
}

/** Returns the line formats of a run that starts `offset` rows after a pair, as a reference records them. */
export function lineFormatsFrom({ here, there }: Pairing, offset: number): LineFormats {
  return {
    ...(isUnformatted(there) ? {} : { targetDressing: shiftNumbering(there, offset) }),
    ...(isUnformatted(here) ? {} : { dressing: shiftNumbering(here, offset) }),
  };
}

function isUnformatted({ numbering, ending }: LineFormat): boolean {
  return numbering === undefined && ending === undefined;
}

function shiftNumbering(format: LineFormat, offset: number): LineFormat {
  const { numbering } = format;
  if (numbering === undefined) return format;
  return { ...format, numbering: { ...numbering, first: numbering.first + offset } };
}
