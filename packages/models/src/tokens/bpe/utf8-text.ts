/** The one thing here that JavaScript's hosts bring and not the language: all have it, and by hand it takes twice to three times as long. */
declare const TextEncoder: new () => {
  encodeInto(source: string, target: Uint8Array): { readonly written: number };
};

/** A longer text borrows its bytes for as long as it is being counted. */
const KEPT_BYTES = 1 << 20;
const MAX_BYTES_PER_UNIT = 3;
const CODE_POINTS = 0x110000;

/** A text as UTF-8, with the class of each character. One is reused from text to text. */
export class Utf8Text {
  /** Valid up to `end`; what follows is left over from earlier texts. */
  bytes = new Uint8Array(KEPT_BYTES);
  end = 0;
  readonly #kept = this.bytes;
  readonly #encoder = new TextEncoder();
  /** By code point; 0 until a character is first met, because classifying all of Unicode takes a tenth of a second. */
  readonly #symbols = new Uint8Array(CODE_POINTS);

  /** Takes a text in. A lone surrogate becomes U+FFFD, as in tiktoken. */
  load(text: string): void {
    const most = text.length * MAX_BYTES_PER_UNIT;
    this.bytes = most <= KEPT_BYTES ? this.#kept : new Uint8Array(most);
    this.end = this.#encoder.encodeInto(text, this.bytes).written;
  }

  /** Lets go of what a long text borrowed. */
  unload(): void {
    this.bytes = this.#kept;
    this.end = 0;
  }

  /** Class and width of the character that starts at `position`, which lies before `end`. */
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
