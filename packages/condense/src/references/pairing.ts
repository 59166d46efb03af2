import type { LineFormat } from "../edits/edit.ts";
import { type LineFormats, type LineNumber, readLineNumber, unformattedLine } from "./line-format.ts";
import type { Lines } from "./lines.ts";

/** How two lines that say the same are written: the dressing of each side, and nothing where they are the same letter for letter. */
export interface Pairing {
  readonly here: LineFormat;
  readonly there: LineFormat;
}

const VERBATIM: Pairing = { here: {}, there: {} };

/** How the line in row `here` is told from the one in row `there`; nothing where it cannot be told exactly. */
export function pairRows(lines: Lines, here: number, there: number): Pairing | undefined {
  if (lines.whole[here] === lines.whole[there]) return VERBATIM;
  return pairLines(lineAt(lines, here), lineAt(lines, there));
}

function lineAt(lines: Lines, row: number): string {
  return lines.textOf(lines.passage[row] ?? 0).slice(lines.start[row], lines.end[row]);
}

/** How a line is told from another one that says the same; nothing where it cannot be told exactly. */
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
  /** Blanks before what the line says, which belong to it as far as both lines have them. */
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

/** Nothing where indentation would have to be taken off a line that has no number. */
function numberingOf({ number, blanks, isPadded }: Side, common: number): LineFormat | undefined {
  const own = blanks.slice(0, blanks.length - common);
  if (number === undefined) return own === "" ? {} : undefined;
  const width = isPadded ? number.width : 0;
  return { numbering: { first: number.value, width, separator: number.separator + own } };
}

/** Whether the lines `offset` rows after a pair are such a pair too. */
export function continues(lines: Lines, rows: { here: number; there: number }, paired: Paired): boolean {
  const { pairing, offset } = paired;
  const here = rows.here + offset;
  const there = rows.there + offset;
  if (pairing === VERBATIM) return lines.whole[here] === lines.whole[there];
  const bare = unformattedLine(lineAt(lines, here), pairing.here, offset);
  return bare !== undefined && bare === unformattedLine(lineAt(lines, there), pairing.there, offset);
}

interface Paired {
  readonly pairing: Pairing;
  readonly offset: number;
}

/** The dressings of a run that begins `offset` rows after a pair, as a reference records them. */
export function lineFormatsFrom({ here, there }: Pairing, offset: number): LineFormats {
  return {
    ...(isUnformatted(there) ? {} : { targetDressing: shiftNumbering(there, offset) }),
    ...(isUnformatted(here) ? {} : { dressing: shiftNumbering(here, offset) }),
  };
}

function isUnformatted({ numbering, ending }: LineFormat): boolean {
  return numbering === undefined && ending === undefined;
}

function shiftNumbering(dressing: LineFormat, offset: number): LineFormat {
  const { numbering } = dressing;
  if (numbering === undefined) return dressing;
  return { ...dressing, numbering: { ...numbering, first: numbering.first + offset } };
}
