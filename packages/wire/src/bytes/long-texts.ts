import { skipString, skipValue, skipWhitespace } from "./scan-json.ts";
import type { Span } from "./split-body.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LESS_THAN = 0x3c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Shorter texts cost less to parse than to leave out. */
const LONG_TEXT = 1_024;
/** Codecs look at the beginning and the end of a text, so about this many bytes of them stay. */
const FIRST_BYTES = 96;
const LAST_BYTES = 24;

/**
 * Finds the middles of the long texts in a JSON body: bytes inside a string that a parser and `JSON.stringify` would reproduce exactly,
 * given valid UTF-8. A body is the same JSON text if they are taken out of it, parsed and written elsewhere, and put back. Only texts of
 * messages are found, and none in the arguments of tool calls. Returns undefined if more than `maxRest` bytes would remain, or if a
 * string does not end.
 */
export function findLongTexts(bytes: Uint8Array, maxRest: number): readonly Span[] | undefined {
  const found: Span[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let left = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    if (byte !== QUOTE) {
      depth += DEPTH_CHANGES[byte] ?? 0;
      at++;
      continue;
    }
    const read = readString(bytes, at, view);
    const middle = read - at > LONG_TEXT ? middleOf(bytes, at, read) : undefined;
    if (middle !== undefined) {
      found.push(middle);
      left += middle.to - middle.from;
    }
    at = skipArguments(bytes, { from: at, to: Math.abs(read) }, depth);
    if (at <= 0 || at - left > maxRest) return undefined;
  }
  return found;
}

const DEPTH_CHANGES = new Int8Array(256);
DEPTH_CHANGES[OPEN_BRACE] = 1;
DEPTH_CHANGES[OPEN_BRACKET] = 1;
DEPTH_CHANGES[CLOSE_BRACE] = -1;
DEPTH_CHANGES[CLOSE_BRACKET] = -1;

const ONES = 0x01010101;
const HIGH_BITS = 0x80808080;
const SPACES = 0x20202020;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;

/**
 * Returns the position after the string whose opening quote is at `from`: negative if `JSON.stringify` would write it in other bytes, 0 if
 * it does not end.
 */
function readString(bytes: Uint8Array, from: number, view: DataView): number {
  const last = bytes.length - 4;
  let at = from + 1;
  for (;;) {
    let hits = 0;
    while (at <= last && hits === 0) {
      hits = specialBytes(view.getInt32(at, true));
      at += hits === 0 ? 4 : (31 - Math.clz32(hits & -hits)) >> 3;
    }
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === undefined) return 0;
    const size = sizeAt(bytes, at, byte);
    if (size === -1) return -Math.max(0, skipString(bytes, from));
    at += size;
  }
}

/** Returns the length of a byte or escape inside a string; -1 if `JSON.stringify` would write something else. */
function sizeAt(bytes: Uint8Array, at: number, byte: number): number {
  if (byte === BACKSLASH) return escapeSize(bytes, at);
  return byte < 0x20 ? -1 : 1;
}

/**
 * Returns a number whose lowest bit is in the first of four bytes that is a quote, a backslash or a control character; 0 if none is.
 * Subtracting borrows from the high bit of these bytes, and sometimes of those after them.
 */
function specialBytes(word: number): number {
  const quotes = word ^ QUOTES;
  const slashes = word ^ BACKSLASHES;
  const controls = (word - SPACES) & ~word;
  return (controls | ((quotes - ONES) & ~quotes) | ((slashes - ONES) & ~slashes)) & HIGH_BITS;
}

const TEXT_KEYS = ["text", "content", "output", "system", "instructions"].map(reversedCodes);
const ARGUMENT_KEYS = ["input", "args", "arguments"].map(reversedCodes);

function reversedCodes(name: string): readonly number[] {
  return Array.from(name, (letter) => letter.charCodeAt(0)).reverse();
}

/** Whether the string at this quote is the value of a field with a text. Text with markup stays: client notes are found by their tags. */
function isTextAt(bytes: Uint8Array, from: number): boolean {
  const first = skipWhitespace(bytes, from + 1);
  if (bytes[first] === LESS_THAN) return false;
  const colon = skipBack(bytes, from - 1);
  if (bytes[colon] !== COLON) return false;
  const end = skipBack(bytes, colon - 1);
  return bytes[end] === QUOTE && endsWithName(bytes, end, TEXT_KEYS);
}

const MAX_ARGUMENT_KEY = '"arguments"'.length;
/** The list of messages has the name `input` in one format. */
const LIST_DEPTH = 1;

/** Returns the position after a string; if it names the arguments of a tool call, the position after these. */
function skipArguments(bytes: Uint8Array, { from, to }: Span, depth: number): number {
  const isNamed = to - from <= MAX_ARGUMENT_KEY && depth > LIST_DEPTH && endsWithName(bytes, to - 1, ARGUMENT_KEYS);
  const colon = isNamed ? skipWhitespace(bytes, to) : to;
  return isNamed && bytes[colon] === COLON ? skipValue(bytes, skipWhitespace(bytes, colon + 1)) : to;
}

function skipBack(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at--;
  return at;
}

/** Whether the string that ends with this quote is one of these names. */
function endsWithName(bytes: Uint8Array, quote: number, names: readonly (readonly number[])[]): boolean {
  return names.some(
    (codes) => bytes[quote - codes.length - 1] === QUOTE && codes.every((code, at) => bytes[quote - 1 - at] === code),
  );
}

/** Returns the part of a text between its first and its last bytes, if both of these have visible characters. */
function middleOf(bytes: Uint8Array, quote: number, end: number): Span | undefined {
  if (!isTextAt(bytes, quote)) return undefined;
  const from = boundaryBefore(bytes, quote + 1 + FIRST_BYTES, quote);
  const to = boundaryBefore(bytes, end - 1 - LAST_BYTES, from);
  if (from === -1 || to === -1) return undefined;
  return hasVisible(bytes, quote + 1, from) && hasVisible(bytes, to, end - 1) ? { from, to } : undefined;
}

/** Returns the last position up to `at` that is neither inside a character nor shortly after a backslash; -1 if it is not after `from`. */
function boundaryBefore(bytes: Uint8Array, at: number, from: number): number {
  let place = at;
  for (let before = at - 1; before > from; before--) {
    if (bytes[before] === BACKSLASH || ((bytes[place] ?? 0) & 0xc0) === 0x80) place = before;
    else if (place - before === CONTROL_ESCAPE) return place;
  }
  return -1;
}

/** Whether a part of a string has a character that is certainly not whitespace. Escapes do not count. */
function hasVisible(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; ) {
    const byte = bytes[at] ?? 0;
    if (byte !== BACKSLASH && VISIBLE[byte] === 1) return true;
    at += byte === BACKSLASH ? Math.max(2, escapeSize(bytes, at)) : 1;
  }
  return false;
}

/** The first bytes of characters that are not whitespace in any case: ASCII, and the ranges of UTF-8 without spaces. */
const VISIBLE = new Uint8Array(256).fill(1, 0x21, 0x7f).fill(1, 0xc3, 0xe0).fill(1, 0xe4, 0xee).fill(1, 0xf0);

/** Returns the length of an escape, or -1 if `JSON.stringify` would write something else. */
function escapeSize(bytes: Uint8Array, at: number): number {
  const letter = bytes[at + 1] ?? 0;
  if (SHORT_ESCAPES[letter] === 1) return 2;
  if (letter !== SMALL_U || bytes[at + 2] !== ZERO || bytes[at + 3] !== ZERO) return -1;
  const [high, low] = [bytes[at + 4], bytes[at + 5] ?? 0];
  const isWritten = (high === ZERO && LONE_CONTROLS[low] === 1) || (high === ONE && HEX_DIGITS[low] === 1);
  return isWritten ? CONTROL_ESCAPE : -1;
}

const SMALL_U = 0x75;
/** The length of `\u001b`. */
const CONTROL_ESCAPE = 6;
const ZERO = 0x30;
const ONE = 0x31;
/** The letters of two-byte escapes that `JSON.stringify` writes. */
const SHORT_ESCAPES = flags('"\\bfnrt');
/** `JSON.stringify` writes lower-case digits, and has shorter escapes for 08, 09, 0a, 0c and 0d. */
const HEX_DIGITS = flags("0123456789abcdef");
const LONE_CONTROLS = flags("01234567bef");

function flags(letters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const letter of letters) table[letter.charCodeAt(0)] = 1;
  return table;
}
