import { MAX_UTF8_BYTES, utf8Writer } from "@longhaul/conversation/values";

/** Longer texts allocate their bytes temporarily. */
const KEPT_BYTES = 1 << 20;
const CODE_POINTS = 0x110000;

/** A text as UTF-8, with the class of each character. An instance is reused for many texts. */
export class Utf8Text {
  /** Valid up to `end`; the rest is left over from earlier texts. */
  bytes = new Uint8Array(KEPT_BYTES);
  end = 0;
  readonly #kept = this.bytes;
  readonly #write = utf8Writer();
  /** By code point; 0 until a character is first seen, because classifying all of Unicode takes a tenth of a second. */
  readonly #symbols = new Uint8Array(CODE_POINTS);

  /** Loads a text. A lone surrogate becomes U+FFFD, as in tiktoken. */
  load(text: string): void {
    const most = text.length * MAX_UTF8_BYTES;
    this.bytes = most <= KEPT_BYTES ? this.#kept : new Uint8Array(most);
    this.end = this.#write(text, this.bytes);
  }

  /** Frees the memory of a long text. */
  unload(): void {
    this.bytes = this.#kept;
    this.end = 0;
  }

  /** Returns class and width of the character at `position`, which must be before `end`. */
  symbolAt(position: number): number {
    const lead = this.bytes[position] ?? 0;
    const code = lead < 0x80 ? lead : this.#codePointAt(position, lead);
    const known = this.#symbols[code] ?? 0;
    return known === 0 ? this.#learn(code) : known;
  }

  #codePointAt(position: number, lead: number): number {
    const second = (this.bytes[position + 1] ?? 0) & 0x3f;
    if (lead < 0xe0) return ((lead & 0x1f) << 6) | second;
    const third = (this.bytes[position + 2] ?? 0) & 0x3f;
    if (lead < 0xf0) return ((lead & 0x0f) << 12) | (second << 6) | third;
    const fourth = (this.bytes[position + 3] ?? 0) & 0x3f;
    return ((lead & 0x07) << 18) | (second << 12) | (third << 6) | fourth;
  }

  #learn(code: number): number {
    const symbol = symbolFor(code);
    this.#symbols[code] = symbol;
    return symbol;
  }
}

/** Character classes that the encodings' splitting rules distinguish. */
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

/** Returns a character's class, by the JavaScript engine's Unicode version, and its width in UTF-8 bytes in the higher bits. Never 0. */
export function symbolFor(codePoint: number): number {
  return (utf8Width(codePoint) << CLASS_BITS) | classify(String.fromCodePoint(codePoint));
}

export function classOf(symbol: number): number {
  return symbol & CLASS_MASK;
}

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
  // Not \s: JavaScript treats U+FEFF as white space but not U+0085, the encodings the other way round.
  [/\p{White_Space}/u, SPACE],
];

function classify(character: string): number {
  return CLASSES.find(([pattern]) => pattern.test(character))?.[1] ?? OTHER;
}
