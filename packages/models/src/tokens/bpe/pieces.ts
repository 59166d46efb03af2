import {
  CASELESS,
  classOf,
  LOWER,
  MARK,
  NEWLINE,
  NUMBER,
  OTHER,
  SPACE,
  UPPER,
  type Utf8Text,
  widthOf,
} from "./utf8-text.ts";

/** Returns the end of the piece that starts at `from`. An encoding splits a text into pieces before it merges bytes. */
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

/** ` ?[^\s\p{L}\p{N}]+`, or `from` without a match. */
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

/** `\s*[\r\n]+|\s+(?!\S)|\s+`: up to the last line break, otherwise all but the last, which belongs to the next word. */
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
/** U+017F in UTF-8, which matches `s` if case is ignored. */
const LONG_S = 0xc5bf;

/**
 * The splitting rule of cl100k_base. It tries, in this order: a contraction, `[^\r\n\p{L}\p{N}]?\p{L}+`, `\p{N}{1,3}`, `
 * ?[^\s\p{L}\p{N}]+[\r\n]*`, white space.
 */
export function cl100kPieceEnd(text: Utf8Text, from: number): number {
  const contraction = contractionEnd(text, from);
  if (contraction > from) return contraction;
  const symbol = text.symbolAt(from);
  if (classOf(symbol) === NUMBER) return numberEnd(text, from);
  const word = cl100kWordEnd(text, from, symbol);
  if (word > from) return word;
  const punctuation = punctuationEnd(text, from);
  return punctuation > from ? lineBreaksEnd(text, punctuation) : whiteSpaceEnd(text, from);
}

function cl100kWordEnd(text: Utf8Text, from: number, symbol: number): number {
  const kind = classOf(symbol);
  if (kind === NEWLINE) return from;
  const afterFirst = from + widthOf(symbol);
  const end = lettersEnd(text, afterFirst);
  return isLetter(kind) || end > afterFirst ? end : from;
}

function lettersEnd(text: Utf8Text, from: number): number {
  let position = from;
  while (position < text.end) {
    const symbol = text.symbolAt(position);
    if (!isLetter(classOf(symbol))) break;
    position += widthOf(symbol);
  }
  return position;
}

function isLetter(kind: number): boolean {
  return kind === LOWER || kind === UPPER || kind === CASELESS;
}

/** `[\r\n]*` */
function lineBreaksEnd(text: Utf8Text, from: number): number {
  let position = from;
  while (position < text.end && classOf(text.symbolAt(position)) === NEWLINE) position++;
  return position;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SLASH = 0x2f;

/**
 * The splitting rule of o200k_base. With `upper` for `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`, `lower` for `[\p{Ll}\p{Lm}\p{Lo}\p{M}]` and
 * `lead` for `[^\r\n\p{L}\p{N}]` it tries, in this order: `lead?upper*lower+contraction?`, `lead?upper+lower*contraction?`,
 * `\p{N}{1,3}`, ` ?[^\s\p{L}\p{N}]+[\r\n/]*`, white space.
 */
export function o200kPieceEnd(text: Utf8Text, from: number): number {
  const symbol = text.symbolAt(from);
  if (classOf(symbol) === NUMBER) return numberEnd(text, from);
  const word = o200kWordEnd(text, from, symbol);
  if (word > from) return contractionEnd(text, word);
  const punctuation = punctuationEnd(text, from);
  return punctuation > from ? tailEnd(text, punctuation) : whiteSpaceEnd(text, from);
}

/** Returns the end of the word that starts at `from` or after one leading character there; `from` if there is none. */
function o200kWordEnd(text: Utf8Text, from: number, symbol: number): number {
  const afterFirst = from + widthOf(symbol);
  switch (classOf(symbol)) {
    case NEWLINE:
      return from;
    case UPPER:
    case LOWER:
    case CASELESS:
      return wordEnd(text, from);
    case MARK:
      // A mark is `lead`, `upper` and `lower` at once: if it does not lead a word of the first kind, it is a word by itself.
      return mixedWordEnd(text, afterFirst);
    default: {
      const end = wordEnd(text, afterFirst);
      return end > afterFirst ? end : from;
    }
  }
}

function wordEnd(text: Utf8Text, from: number): number {
  const mixed = mixedWordEnd(text, from);
  return mixed > from ? mixed : capitalsEnd(text, from);
}

/** `upper*lower+`, or `from`. Without a lowercase letter, the last character that is both counts as `lower`. */
function mixedWordEnd(text: Utf8Text, from: number): number {
  let position = from;
  let lastBoth = from;
  while (position < text.end) {
    const symbol = text.symbolAt(position);
    const kind = classOf(symbol);
    if (kind === LOWER) return lowerEnd(text, position);
    if (kind !== UPPER && kind !== CASELESS && kind !== MARK) break;
    position += widthOf(symbol);
    if (kind !== UPPER) lastBoth = position;
  }
  return lastBoth;
}

function lowerEnd(text: Utf8Text, from: number): number {
  let position = from;
  while (position < text.end) {
    const symbol = text.symbolAt(position);
    const kind = classOf(symbol);
    if (kind !== LOWER && kind !== CASELESS && kind !== MARK) break;
    position += widthOf(symbol);
  }
  return position;
}

/** `upper+lower*` where `upper*lower+` does not match, so that only uppercase letters remain. */
function capitalsEnd(text: Utf8Text, from: number): number {
  let position = from;
  while (position < text.end) {
    const symbol = text.symbolAt(position);
    if (classOf(symbol) !== UPPER) break;
    position += widthOf(symbol);
  }
  return position;
}

/** `[\r\n/]*` */
function tailEnd(text: Utf8Text, from: number): number {
  let position = from;
  while (position < text.end) {
    const byte = text.bytes[position];
    if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== SLASH) break;
    position++;
  }
  return position;
}
