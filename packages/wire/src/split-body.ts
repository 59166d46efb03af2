/** Bytes `from` up to `to` of a body. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A JSON object taken apart without parsing it. */
export interface SplitBody {
  /** The value of each top-level field. */
  readonly fields: ReadonlyMap<string, Span>;
  /** The entries of the list that was asked for. */
  readonly items: readonly Span[];
}

/** What was found in the front of a body, up to the beginning of one of the list's entries. */
export interface SplitFront extends SplitBody {
  /** Where the list begins. */
  readonly listFrom: number;
  /** Where the next entry begins. */
  readonly to: number;
}

/**
 * Finds the top-level fields of a JSON object, and the entries of the list named `listKey`, in the bytes. Nothing where it cannot be sure:
 * then the body must be parsed whole. Provided that every span it names parses, the body as a whole is valid JSON with exactly these values.
 * Where another body with the same front was split before, what was found in that front need not be found again.
 */
export function splitBody(bytes: Uint8Array, listKey: string, front?: SplitFront): SplitBody | undefined {
  const fields = new Map<string, Span>(front?.fields);
  let items: readonly Span[] | undefined;
  let at = skipBlanks(bytes, 0);
  if (bytes[at] !== OPEN_BRACE) return undefined;
  let field =
    front === undefined ? readField(bytes, skipBlanks(bytes, at + 1), listKey) : resumeList(bytes, listKey, front);
  for (;;) {
    if (field === undefined || fields.has(field.name)) return undefined;
    items = field.items ?? items;
    fields.set(field.name, field.span);
    at = skipBlanks(bytes, field.span.to);
    if (bytes[at] !== COMMA) break;
    field = readField(bytes, skipBlanks(bytes, at + 1), listKey);
  }
  const isClosed = bytes[at] === CLOSE_BRACE && skipBlanks(bytes, at + 1) === bytes.length;
  return isClosed && items !== undefined ? { fields, items } : undefined;
}

/** What was found in the front of a body, before its entry `count`; nothing where it has no more than that. */
export function frontOf({ fields, items }: SplitBody, listKey: string, count: number): SplitFront | undefined {
  const listFrom = fields.get(listKey)?.from;
  const next = items[count];
  if (listFrom === undefined || next === undefined) return undefined;
  const before = new Map([...fields].filter(([, span]) => span.to < listFrom));
  return { fields: before, items: items.slice(0, count), listFrom, to: next.from };
}

/**
 * The value of a top-level field that stands before the list, found without looking at the list. Nothing where it does not stand there, or
 * cannot be found with certainty: then `splitBody` knows more.
 */
export function peekField(bytes: Uint8Array, name: string, listKey: string): Span | undefined {
  let at = skipBlanks(bytes, 0);
  if (bytes[at] !== OPEN_BRACE) return undefined;
  do {
    const from = skipBlanks(bytes, at + 1);
    if (readKey(bytes, from)?.name === listKey) return undefined;
    const field = readField(bytes, from, listKey);
    if (field === undefined || field.name === name) return field?.span;
    at = skipBlanks(bytes, field.span.to);
  } while (bytes[at] === COMMA);
  return undefined;
}

/**
 * The value of a top-level field, wherever it stands; of several with the same name the last one, as a parser has it. Nothing where it
 * cannot be found with certainty.
 */
export function findField(bytes: Uint8Array, name: string): Span | undefined {
  let found: Span | undefined;
  let at = skipBlanks(bytes, 0);
  if (bytes[at] !== OPEN_BRACE) return undefined;
  do {
    const field = readField(bytes, skipBlanks(bytes, at + 1));
    if (field === undefined) return undefined;
    if (field.name === name) found = field.span;
    at = skipBlanks(bytes, field.span.to);
  } while (bytes[at] === COMMA);
  return bytes[at] === CLOSE_BRACE ? found : undefined;
}

interface Field {
  readonly name: string;
  readonly span: Span;
  /** Only for the list that was asked for. */
  readonly items?: readonly Span[];
}

function readField(bytes: Uint8Array, at: number, listKey?: string): Field | undefined {
  const key = readKey(bytes, at);
  if (key === undefined) return undefined;
  const { name } = key;
  const from = skipBlanks(bytes, key.end);
  if (name === listKey) {
    const list = openList(bytes, from);
    return list && { name, span: { from, to: list.end }, items: list.items };
  }
  const to = skipValue(bytes, from);
  return to > from ? { name, span: { from, to } } : undefined;
}

function resumeList(bytes: Uint8Array, name: string, { items, listFrom, to }: SplitFront): Field | undefined {
  const list = readItems(bytes, to, [...items]);
  return list && { name, span: { from: listFrom, to: list.end }, items: list.items };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** JSON's white space: blank, tab, line feed, carriage return. */
function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}

/** A key and where its value may begin. A key with escapes is rare enough to leave to the parser. */
function readKey(bytes: Uint8Array, from: number): { name: string; end: number } | undefined {
  if (bytes[from] !== QUOTE) return undefined;
  let name = "";
  let end = from + 1;
  for (let byte = bytes[end]; isPlain(byte); byte = bytes[++end]) name += String.fromCharCode(byte);
  if (bytes[end] !== QUOTE) return undefined;
  const colon = skipBlanks(bytes, end + 1);
  return bytes[colon] === COLON ? { name, end: colon + 1 } : undefined;
}

/** Printable ASCII that stands for itself in a JSON string. */
function isPlain(byte: number | undefined): byte is number {
  return byte !== undefined && byte >= 0x20 && byte < 0x7f && byte !== QUOTE && byte !== BACKSLASH;
}

interface List {
  readonly items: readonly Span[];
  readonly end: number;
}

function openList(bytes: Uint8Array, from: number): List | undefined {
  if (bytes[from] !== OPEN_BRACKET) return undefined;
  const at = skipBlanks(bytes, from + 1);
  return bytes[at] === CLOSE_BRACKET ? { items: [], end: at + 1 } : readItems(bytes, at, []);
}

/** Reads entries from here to the end of the list, after those that were read before. */
function readItems(bytes: Uint8Array, from: number, items: Span[]): List | undefined {
  for (let at = from; ; ) {
    const to = skipValue(bytes, at);
    if (to <= at) return undefined;
    items.push({ from: at, to });
    const next = skipBlanks(bytes, to);
    if (bytes[next] === CLOSE_BRACKET) return { items, end: next + 1 };
    if (bytes[next] !== COMMA) return undefined;
    at = skipBlanks(bytes, next + 1);
  }
}

/** One past the value that begins here; -1 where it does not end. */
function skipValue(bytes: Uint8Array, from: number): number {
  const first = bytes[from];
  if (first === QUOTE) return skipString(bytes, from);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipContainer(bytes, from);
  let at = from;
  while (at < bytes.length && !isDelimiter(bytes[at])) at++;
  return at;
}

function isDelimiter(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte === undefined || byte <= 0x20;
}

/** One past the container that begins here; only the nesting is looked at, the rest is the parser's to judge. */
function skipContainer(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  let depth = 0;
  let at = from;
  while (at < length) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = skipString(bytes, at);
      if (at === -1) return -1;
      continue;
    }
    at++;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/** Strings shorter than this are walked; in longer ones the native search for the next quote is faster. */
const SHORT_STRING = 48;

function skipString(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  const near = Math.min(at + SHORT_STRING, bytes.length);
  while (at < near) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return skipLongString(bytes, at);
}

function skipLongString(bytes: Uint8Array, from: number): number {
  let quote = bytes.indexOf(QUOTE, from);
  while (quote !== -1) {
    let before = quote - 1;
    while (before >= from && bytes[before] === BACKSLASH) before--;
    if ((quote - before) % 2 === 1) return quote + 1;
    quote = bytes.indexOf(QUOTE, quote + 1);
  }
  return -1;
}
