import { LonghaulError, MAX_JSON_DEPTH, table } from "@longhaul/conversation/advanced";

/**
 * Limits on the shape of a request body, far above what real clients send: long sessions have a few thousand messages, tool schemas nest
 * about 20 levels, Google's servers reject 100 levels, and the largest embeddings batch is 300,000 tokens. Within the limits, parsing takes
 * time linear in the bytes, decoding takes some 10 ms, and functions that walk a parsed body cannot overflow the stack.
 */
export const JSON_LIMITS = table({
  /** Nesting of objects and arrays. */
  depth: MAX_JSON_DEPTH,
  /** Keys in one object. */
  keys: 10_000,
  /** Elements in one array. */
  elements: 25_000,
  /** Values in the whole body. */
  values: 320_000,
  /** Consecutive bytes of whitespace outside strings. */
  whitespace: 1_000_000,
  /** Consecutive bytes outside strings that are neither structure nor whitespace, such as the digits of a number. */
  number: 1_000_000,
} as const);

/** Error messages by limit; `#` is the limit. */
const LIMIT_MESSAGES: Readonly<Record<keyof typeof JSON_LIMITS, string>> = table({
  depth: "nests objects and arrays more than # levels deep",
  keys: "has an object with more than # keys",
  elements: "has an array with more than # elements",
  values: "has more than # values",
  whitespace: "has more than # consecutive bytes of whitespace",
  number: "has more than # consecutive bytes outside strings",
});

/** Creates the error for a body over a limit. */
export function overLimit(limit: keyof typeof JSON_LIMITS): LonghaulError {
  const most = `${JSON_LIMITS[limit]}`.replace(/(?<=\d)(?=(?:\d{3})+$)/g, ",");
  const message = `the request body ${LIMIT_MESSAGES[limit].replace("#", most)}, which is the gateway's limit`;
  return new LonghaulError("request.body-too-large", message);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Checks JSON text against `JSON_LIMITS` in one pass over the bytes, without parsing, and returns its number of values. Throws
 * `request.body-too-large` if it is over a limit. Does not check that the text is valid JSON.
 */
export function checkJsonLimits(bytes: Uint8Array): number {
  const tally = startTally(0);
  const from = skipCheckedWhitespace(bytes, hasByteOrderMark(bytes) ? 3 : 0);
  const to = skipValue(bytes, from, tally);
  if (to !== -1) skipCheckedWhitespace(bytes, to);
  return tally.values;
}

function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Returns the position after the value that starts at `from`, or -1 if the value does not end. */
export function skipValue(bytes: Uint8Array, from: number, tally?: Tally): number {
  const first = bytes[from];
  if (first === QUOTE) return skipString(bytes, from);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipContainer(bytes, from, tally);
  const last = runLimit(bytes, from, tally);
  let at = from;
  while (at < last && !isDelimiter(bytes[at])) at++;
  return checkRun(from, at, tally);
}

function isDelimiter(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte === undefined || byte <= 0x20;
}

/** Returns the end of the longest run of bytes outside strings that is within the limit, and one byte more. */
function runLimit({ length }: Uint8Array, from: number, tally: Tally | undefined): number {
  return tally === undefined ? length : Math.min(length, from + JSON_LIMITS.number + 1);
}

function checkRun(from: number, to: number, tally: Tally | undefined): number {
  if (tally !== undefined && to - from > JSON_LIMITS.number) throw overLimit("number");
  return to;
}

/** Running counts for one body. */
export interface Tally {
  /** Number of containers around the next value. */
  depth: number;
  /** Number of top-level fields. */
  fields: number;
  /** Number of values inside containers. */
  values: number;
}

export const FIELD_DEPTH = 1;
export const ITEM_DEPTH = 2;

export function startTally(depth = FIELD_DEPTH): Tally {
  return { depth, fields: 0, values: 0 };
}

/** For each open container: the number of commas it may still have, and its opening byte. */
const room = new Int32Array(JSON_LIMITS.depth + 1);
const openers = new Uint8Array(JSON_LIMITS.depth + 1);

/**
 * Returns the position after the container that starts at `from`, or -1. Looks only at nesting and commas. With a tally it throws at the
 * first value over a limit.
 */
function skipContainer(bytes: Uint8Array, from: number, tally?: Tally): number {
  const { length } = bytes;
  const outside = tally?.depth ?? 0;
  let depth = outside;
  let at = from;
  while (at < length) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      at = skipString(bytes, at);
      if (at === -1) return -1;
      continue;
    }
    const change = DEPTH_CHANGES[byte] ?? NO_STRUCTURE;
    if (change === NO_STRUCTURE) {
      at = skipUnstructured(bytes, at, tally);
      continue;
    }
    at++;
    if (tally !== undefined) count(tally, depth, byte);
    depth += change;
    if (depth === outside) return at;
  }
  return -1;
}

/** Returns the position after bytes that are not structural: whitespace, or colons, numbers and names. */
function skipUnstructured(bytes: Uint8Array, at: number, tally: Tally | undefined): number {
  const isWhitespace = tally !== undefined && (bytes[at] ?? 0) <= 0x20;
  if (isWhitespace) return Math.max(at + 1, skipCheckedWhitespace(bytes, at));
  const last = runLimit(bytes, at, tally);
  let to = at + 1;
  while (to < last && isUnstructured(bytes[to] ?? 0)) to++;
  return checkRun(at, to, tally);
}

function isUnstructured(byte: number): boolean {
  return byte > 0x20 && byte !== QUOTE && DEPTH_CHANGES[byte] === NO_STRUCTURE;
}

const NO_STRUCTURE = 2;
/** The change in depth for each byte outside strings. Commas are 0: they are counted but change nothing. */
const DEPTH_CHANGES = new Int8Array(256).fill(NO_STRUCTURE);
DEPTH_CHANGES[OPEN_BRACE] = 1;
DEPTH_CHANGES[OPEN_BRACKET] = 1;
DEPTH_CHANGES[CLOSE_BRACE] = -1;
DEPTH_CHANGES[CLOSE_BRACKET] = -1;
DEPTH_CHANGES[COMMA] = 0;

function count(tally: Tally, depth: number, byte: number): void {
  if (byte === COMMA) countComma(tally, depth);
  else if (DEPTH_CHANGES[byte] === 1) countOpening(tally, depth + 1, byte);
}

function countOpening(tally: Tally, depth: number, byte: number): void {
  if (depth > JSON_LIMITS.depth) throw overLimit("depth");
  openers[depth] = byte;
  room[depth] = byte === OPEN_BRACE ? JSON_LIMITS.keys : JSON_LIMITS.elements;
  countValue(tally);
}

function countComma(tally: Tally, depth: number): void {
  const left = (room[depth] ?? 0) - 1;
  if (left === 0) throw overLimit(openers[depth] === OPEN_BRACE ? "keys" : "elements");
  room[depth] = left;
  countValue(tally);
}

export function countValue(tally: Tally): void {
  tally.values++;
  if (tally.values > JSON_LIMITS.values) throw overLimit("values");
}

export function skipWhitespace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}

function skipCheckedWhitespace(bytes: Uint8Array, from: number): number {
  const to = skipWhitespace(bytes, from);
  if (to - from > JSON_LIMITS.whitespace) throw overLimit("whitespace");
  return to;
}

/** Strings shorter than this are scanned byte by byte. */
const SHORT_STRING = 48;
/** Escaped quotes come in clusters, so a few bytes after each one are scanned singly. */
const CLUSTER_BYTES = 8;

/** Returns the position after the JSON string whose opening quote is at `from`, or -1 if the string does not end. */
export function skipString(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  let view: DataView | undefined;
  for (;;) {
    const near = Math.min(at + (view === undefined ? SHORT_STRING : CLUSTER_BYTES), bytes.length);
    while (at < near) {
      const byte = bytes[at];
      if (byte === QUOTE) return at + 1;
      at += byte === BACKSLASH ? 2 : 1;
    }
    view ??= new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const quote = findQuote(bytes, at, view);
    if (quote === -1) return -1;
    if (!isEscaped(bytes, quote, at)) return quote + 1;
    at = quote + 1;
  }
}

/** Beyond this distance, the native search is faster despite its cost per call. */
const NATIVE_FROM = 512;
const QUOTES = 0x22222222;
const ONES = 0x01010101;
const HIGH_BITS = 0x80808080;

/** Returns the position of the next quote, or -1. Tests eight bytes at a time, which takes half as long as one by one. */
function findQuote(bytes: Uint8Array, from: number, view: DataView): number {
  const last = Math.min(bytes.length - 8, from + NATIVE_FROM);
  let at = from;
  for (; at <= last; at += 8) {
    // The XOR turns a quote into zero; subtracting one from a zero byte borrows, which sets its high bit.
    const first = view.getInt32(at) ^ QUOTES;
    const second = view.getInt32(at + 4) ^ QUOTES;
    if (((((first - ONES) & ~first) | ((second - ONES) & ~second)) & HIGH_BITS) !== 0) break;
  }
  if (at > last) return bytes.indexOf(QUOTE, at);
  while (bytes[at] !== QUOTE) at++;
  return at;
}

/** Whether an odd number of backslashes precedes `at`. The byte at `from` is not escaped itself. */
function isEscaped(bytes: Uint8Array, at: number, from: number): boolean {
  let before = at - 1;
  while (before >= from && bytes[before] === BACKSLASH) before--;
  return (at - before) % 2 === 0;
}
