/** What the encodings' splitting rules tell apart. */
export const OTHER = 1;
export const UPPER = 2;
export const LOWER = 3;
/** Letters without case, and modifier letters. */
export const CASELESS = 4;
export const MARK = 5;
export const NUMBER = 6;
export const SPACE = 7;
export const NEWLINE = 8;

const CLASS_BITS = 4;
const CLASS_MASK = 0b1111;

/** A character's class, by the engine's version of Unicode, with its width in UTF-8 bytes above it. Never 0. */
export function symbolFor(codePoint: number): number {
  return (utf8Width(codePoint) << CLASS_BITS) | classify(String.fromCodePoint(codePoint));
}

/** The class of a symbol. */
export function classOf(symbol: number): number {
  return symbol & CLASS_MASK;
}

/** How many bytes a symbol takes. */
export function widthOf(symbol: number): number {
  return symbol >> CLASS_BITS;
}

function utf8Width(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

const CLASSES: readonly (readonly [RegExp, number])[] = [
  [/[\r\n]/, NEWLINE],
  [/[\p{Lu}\p{Lt}]/u, UPPER],
  [/\p{Ll}/u, LOWER],
  [/[\p{Lm}\p{Lo}]/u, CASELESS],
  [/\p{M}/u, MARK],
  [/\p{N}/u, NUMBER],
  // Not \s: JavaScript takes U+FEFF for white space and U+0085 not, the encodings the other way round.
  [/\p{White_Space}/u, SPACE],
];

function classify(character: string): number {
  return CLASSES.find(([pattern]) => pattern.test(character))?.[1] ?? OTHER;
}
