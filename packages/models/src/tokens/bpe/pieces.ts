import { classOf, MARK, NEWLINE, NUMBER, OTHER, SPACE, widthOf } from "./character-class.ts";
import type { Utf8Text } from "./utf8-text.ts";

/** Where the piece that starts at `from` ends. Pieces are what an encoding splits a text into before it merges bytes. */
export type PieceEnd = (text: Utf8Text, from: number) => number;

const SPACE_BYTE = 0x20;
const APOSTROPHE = 0x27;
const MAX_NUMBER_DIGITS = 3;

/** `\p{N}{1,3}` */
export function numberEnd(text: Utf8Text, from: number): number {
  let position = from;
  for (let digits = 0; digits < MAX_NUMBER_DIGITS && position < text.end; digits++) {
    const symbol = text.symbolAt(position);
    if (classOf(symbol) !== NUMBER) break;
    position += widthOf(symbol);
  }
  return position;
}

/** ` ?[^\s\p{L}\p{N}]+`, or `from` where that does not match. */
export function punctuationEnd(text: Utf8Text, from: number): number {
  const start = text.bytes[from] === SPACE_BYTE ? from + 1 : from;
  let position = start;
  while (position < text.end) {
    const symbol = text.symbolAt(position);
    if (classOf(symbol) !== OTHER && classOf(symbol) !== MARK) break;
    position += widthOf(symbol);
  }
  return position === start ? from : position;
}

/** `\s*[\r\n]+|\s+(?!\S)|\s+`: up to the last line break, else all but the last, which belongs to the next word. */
export function whiteSpaceEnd(text: Utf8Text, from: number): number {
  let position = from;
  let last = from;
  let lineEnd = from;
  while (position < text.end) {
    const symbol = text.symbolAt(position);
    const kind = classOf(symbol);
    if (kind !== SPACE && kind !== NEWLINE) break;
    last = position;
    position += widthOf(symbol);
    if (kind === NEWLINE) lineEnd = position;
  }
  if (lineEnd > from) return lineEnd;
  return position === text.end || last === from ? position : last;
}

/** `(?i:'s|'t|'re|'ve|'m|'ll|'d)?` */
export function contractionEnd(text: Utf8Text, from: number): number {
  if (from + 1 >= text.end || text.bytes[from] !== APOSTROPHE) return from;
  const first = text.bytes[from + 1] ?? 0;
  if (ONE_LETTER.has(first | LOWER_CASE_BIT)) return from + 2;
  if (from + 2 >= text.end) return from;
  const pair = (first << 8) | (text.bytes[from + 2] ?? 0);
  return pair === LONG_S || TWO_LETTERS.has(pair | LOWER_CASE_BITS) ? from + 3 : from;
}
const LOWER_CASE_BIT = 0x20;
const LOWER_CASE_BITS = 0x2020;
const ONE_LETTER: ReadonlySet<number> = new Set(["s", "t", "m", "d"].map((letter) => letter.charCodeAt(0)));
const TWO_LETTERS: ReadonlySet<number> = new Set(
  ["re", "ve", "ll"].map((letters) => (letters.charCodeAt(0) << 8) | letters.charCodeAt(1)),
);
/** U+017F in UTF-8, which is an `s` to a pattern that ignores case. */
const LONG_S = 0xc5bf;
