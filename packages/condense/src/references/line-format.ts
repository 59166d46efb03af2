import type { LineFormat, LineNumbering, Reference } from "../edits/edit.ts";
import type { Lines } from "./lines.ts";

/** Line formats of a target and of the reference to it; absent where both are the same. The names are those of stored projections. */
export type LineFormats = Pick<Reference, "targetDressing" | "dressing">;

/** Converts the target's text to the format at the reference. Returns undefined if the target does not have its recorded format. */
export function reformatLines(text: string, { targetDressing, dressing: format }: LineFormats): string | undefined {
  const bare = targetDressing === undefined ? text : removeLineFormat(text, targetDressing);
  return bare === undefined || format === undefined ? bare : addLineFormat(bare, format);
}

/** Adds a format to every line. */
export function addLineFormat(text: string, format: LineFormat): string {
  const lines = text.split("\n");
  return lines.map((line, index) => `${prefixAt(format, index)}${line}${format.ending ?? ""}`).join("\n");
}

/** Removes a format from every line. Returns undefined if a line does not have it. */
export function removeLineFormat(text: string, format: LineFormat): string | undefined {
  const bare: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const found = unformattedLine(line, format, index);
    if (found === undefined) return undefined;
    bare.push(found);
  }
  return bare.join("\n");
}

/** Removes a format from the line at an index. Returns undefined if the line does not have it. */
function unformattedLine(line: string, format: LineFormat, index: number): string | undefined {
  const start = prefixAt(format, index);
  const ending = format.ending ?? "";
  const hasFormat = line.length >= start.length + ending.length && line.startsWith(start) && line.endsWith(ending);
  return hasFormat ? line.slice(start.length, line.length - ending.length) : undefined;
}

function prefixAt({ numbering }: LineFormat, index: number): string {
  return numbering === undefined ? "" : numberAt(numbering, index);
}

function numberAt({ first, width, separator }: LineNumbering, index: number): string {
  return `${String(first + index).padStart(width)}${separator}`;
}

/** A line number as tools print it: padding, number, separator, blanks after the separator. */
const NUMBERED = /^( *)(\d{1,7})( ?[|:→]|\t)([ \t]*)/;

/** A line number printed by a tool. */
export interface LineNumber {
  readonly value: number;
  /** Length of the number and its padding. */
  readonly width: number;
  readonly separator: string;
  /** Blanks after the separator; they may belong to it or to the line. */
  readonly blanks: string;
}

/** Parses the number at the start of a line, if there is one. */
export function readLineNumber(line: string): LineNumber | undefined {
  const [, blanksBefore = "", digits = "", separator = "", blanks = ""] = NUMBERED.exec(line) ?? [];
  if (digits === "") return undefined;
  return { value: Number(digits), width: blanksBefore.length + digits.length, separator, blanks };
}

/** Removes line numbers if every line is numbered in order; otherwise returns the text unchanged. */
export function withoutLineNumbers(text: string): string {
  const number = readLineNumber(text.split("\n", 1)[0] ?? "");
  if (number === undefined) return text;
  const { value: first, width, separator, blanks } = number;
  const numbering = { first, width: text.startsWith(" ") ? width : 0, separator };
  const isSpaced = separator.endsWith("|") ? blanks.startsWith(" ") : blanks === " ";
  const spaced = isSpaced
    ? removeLineFormat(text, { numbering: { ...numbering, separator: `${separator} ` } })
    : undefined;
  return spaced ?? removeLineFormat(text, { numbering }) ?? text;
}

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
  const isSameTool = left.number !== undefined && left.number.separator === right.number?.separator;
  if (isSameTool && left.blanks !== right.blanks) return undefined;
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

/** Separators that some tools follow with a blank. */
const SPACED = /[|:]$/;

/** Returns undefined if a line has more indentation than the other one: a model that reads the mark could not know it. */
function numberingOf({ number, blanks, isPadded }: Side, common: number): LineFormat | undefined {
  const own = blanks.slice(0, blanks.length - common);
  if (number === undefined) return own === "" ? {} : undefined;
  if (own !== "" && !(own === " " && SPACED.test(number.separator))) return undefined;
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
