import type { LineFormat, LineNumbering, Reference } from "../edits/edit.ts";

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
export function unformattedLine(line: string, format: LineFormat, index: number): string | undefined {
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
