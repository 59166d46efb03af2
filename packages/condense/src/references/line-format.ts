import type { LineFormat, LineNumbering, Reference } from "../edits/edit.ts";

/** How the lines of a target and those of a reference to it are dressed; absent where both are written in the same way. */
export type LineFormats = Pick<Reference, "targetDressing" | "dressing">;

/** The target's text as it was written where the reference stands; nothing where the target is not dressed as said. */
export function reformatLines(text: string, { targetDressing, dressing }: LineFormats): string | undefined {
  const bare = targetDressing === undefined ? text : removeLineFormat(text, targetDressing);
  return bare === undefined || dressing === undefined ? bare : addLineFormat(bare, dressing);
}

/** Puts a dressing around every line. */
export function addLineFormat(text: string, dressing: LineFormat): string {
  const lines = text.split("\n");
  return lines.map((line, index) => `${before(dressing, index)}${line}${dressing.ending ?? ""}`).join("\n");
}

/** Takes a dressing off every line; nothing where a line does not wear it. */
export function removeLineFormat(text: string, dressing: LineFormat): string | undefined {
  const bare: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const found = unformattedLine(line, dressing, index);
    if (found === undefined) return undefined;
    bare.push(found);
  }
  return bare.join("\n");
}

/** Takes a dressing off the line at an index; nothing where it does not wear it. */
export function unformattedLine(line: string, dressing: LineFormat, index: number): string | undefined {
  const start = before(dressing, index);
  const ending = dressing.ending ?? "";
  const isDressed = line.length >= start.length + ending.length && line.startsWith(start) && line.endsWith(ending);
  return isDressed ? line.slice(start.length, line.length - ending.length) : undefined;
}

function before({ numbering }: LineFormat, index: number): string {
  return numbering === undefined ? "" : numberAt(numbering, index);
}

function numberAt({ first, width, separator }: LineNumbering, index: number): string {
  return `${String(first + index).padStart(width)}${separator}`;
}

/** A line that begins with a number as tools print it: the blanks, the number, its separator, the blanks behind that. */
const NUMBERED = /^( *)(\d{1,7})( ?[|:→]|\t)([ \t]*)/;

/** A line's number as a tool printed it. */
export interface LineNumber {
  readonly value: number;
  /** Characters that number and blanks before it take. */
  readonly width: number;
  /** What stands between the number and the separator's own blanks. */
  readonly separator: string;
  /** Blanks behind the separator, which may belong to it or to the line. */
  readonly blanks: string;
}

/** Reads the number at the beginning of a line, if there is one. */
export function readLineNumber(line: string): LineNumber | undefined {
  const [, blanksBefore = "", digits = "", separator = "", blanks = ""] = NUMBERED.exec(line) ?? [];
  if (digits === "") return undefined;
  return { value: Number(digits), width: blanksBefore.length + digits.length, separator, blanks };
}

/** The text without line numbers where every line of it is numbered in order; else the text as it is. */
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
