import {
  countValue,
  FIELD_DEPTH,
  ITEM_DEPTH,
  JSON_LIMITS,
  overLimit,
  skipString,
  skipValue,
  skipWhitespace,
  startTally,
  type Tally,
} from "./scan-json.ts";

// Local in each module: an exported constant costs a load in the inner loops.
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Bytes `from` up to `to` of a body. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The parts of a JSON object, found without parsing it. */
export interface SplitBody {
  /** The value of each top-level field. */
  readonly fields: ReadonlyMap<string, Span>;
  /** The entries of the requested list. */
  readonly items: readonly Span[];
  /** Number of nested values. Absent if the split resumed from a known prefix. */
  readonly values?: number;
}

/** The parts of a body's prefix, up to the start of one of the list's entries. */
export interface SplitPrefix extends SplitBody {
  /** Start of the list. */
  readonly listFrom: number;
  /** Start of the next entry. */
  readonly to: number;
}

/**
 * Finds the top-level fields of a JSON object, and the entries of the list named `listKey`, without parsing. Returns undefined if it cannot
 * be certain; the body must then be parsed. If every returned span parses, the body is valid JSON with exactly these values. Pass `prefix`
 * to skip the part that this body shares with an earlier one. Throws `request.body-too-large` over `JSON_LIMITS`.
 */
export function splitBody(bytes: Uint8Array, listKey: string, prefix?: SplitPrefix): SplitBody | undefined {
  const fields = new Map<string, Span>(prefix?.fields);
  const tally = startTally();
  let items: readonly Span[] | undefined;
  let at = skipWhitespace(bytes, 0);
  if (bytes[at] !== OPEN_BRACE) return undefined;
  let field =
    prefix === undefined
      ? readField(bytes, skipWhitespace(bytes, at + 1), { listKey, tally })
      : resumeList(bytes, { listKey, tally }, prefix);
  for (;;) {
    if (field === undefined || fields.has(field.name)) return undefined;
    items = field.items ?? items;
    fields.set(field.name, field.span);
    at = skipWhitespace(bytes, field.span.to);
    if (bytes[at] !== COMMA) break;
    field = readField(bytes, skipWhitespace(bytes, at + 1), { listKey, tally });
  }
  const isClosed = bytes[at] === CLOSE_BRACE && skipWhitespace(bytes, at + 1) === bytes.length;
  if (!isClosed || items === undefined) return undefined;
  return prefix === undefined ? { fields, items, values: tally.values } : { fields, items };
}

/** Returns the parts of a body before entry `count`, or undefined if the list has no such entry. */
export function splitPrefix({ fields, items }: SplitBody, listKey: string, count: number): SplitPrefix | undefined {
  const listFrom = fields.get(listKey)?.from;
  const next = items[count];
  if (listFrom === undefined || next === undefined) return undefined;
  const before = new Map([...fields].filter(([, span]) => span.to < listFrom));
  return { fields: before, items: items.slice(0, count), listFrom, to: next.from };
}

/**
 * Returns the first value of a top-level field that precedes the list, without scanning the list. Returns undefined if there is none or it
 * cannot be certain. A parser takes the last of several fields with the same name; `hasLaterField` finds those.
 */
export function peekField(bytes: Uint8Array, name: string, listKey: string): Span | undefined {
  let at = skipWhitespace(bytes, 0);
  if (bytes[at] !== OPEN_BRACE) return undefined;
  for (let fields = 0; fields < JSON_LIMITS.keys; fields++) {
    const key = readKey(bytes, skipWhitespace(bytes, at + 1));
    if (key === undefined || key.name === listKey) return undefined;
    const from = skipWhitespace(bytes, key.end);
    const to = skipValue(bytes, from);
    if (to <= from) return undefined;
    if (key.name === name) return { from, to };
    at = skipWhitespace(bytes, to);
    if (bytes[at] !== COMMA) return undefined;
  }
  return undefined;
}

/**
 * Returns the value of a top-level field: like a parser, the last of several with the same name. Returns undefined if it cannot be
 * certain.
 */
export function findField(bytes: Uint8Array, name: string): Span | undefined {
  return readFields(bytes)?.findLast((field) => field.name === name)?.span;
}

/** Returns the names of all top-level fields in order, or undefined if a name contains escapes or the text is not a JSON object. */
export function fieldNames(bytes: Uint8Array): readonly string[] | undefined {
  return readFields(bytes)?.map(({ name }) => name);
}

function readFields(bytes: Uint8Array): readonly Field[] | undefined {
  const fields: Field[] = [];
  const tally = startTally();
  let at = skipWhitespace(bytes, 0);
  if (bytes[at] !== OPEN_BRACE) return undefined;
  do {
    const field = readField(bytes, skipWhitespace(bytes, at + 1), { tally });
    if (field === undefined) return undefined;
    fields.push(field);
    at = skipWhitespace(bytes, field.span.to);
  } while (bytes[at] === COMMA);
  return bytes[at] === CLOSE_BRACE && skipWhitespace(bytes, at + 1) === bytes.length ? fields : undefined;
}

/**
 * Whether a valid body has a top-level field of this name at `from` or later. `from` must be the opening quote of a string, or a quote
 * within a string that ends where the next one does. Scans only from there; the depth of `from` follows from the closing brackets.
 */
export function hasLaterField(bytes: Uint8Array, name: string, from: number): boolean {
  const depths = new Set<number>();
  let depth = 0;
  for (let at = from; at < bytes.length; ) {
    const byte = bytes[at];
    if (byte !== QUOTE) {
      at++;
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
      continue;
    }
    if (isKey(bytes, at, name)) depths.add(depth);
    at = skipString(bytes, at);
    if (at === -1) return true;
  }
  return depths.has(depth + 1);
}

/** Whether the string at this quote is a key with this name, written without escapes. */
function isKey(bytes: Uint8Array, from: number, name: string): boolean {
  const end = from + 1 + name.length;
  if (bytes[end] !== QUOTE) return false;
  for (let index = 0; index < name.length; index++) {
    if (bytes[from + 1 + index] !== name.charCodeAt(index)) return false;
  }
  return bytes[skipWhitespace(bytes, end + 1)] === COLON;
}

interface Field {
  readonly name: string;
  readonly span: Span;
  /** Set only for the requested list. */
  readonly items?: readonly Span[];
}

interface FieldOptions {
  readonly listKey?: string;
  readonly tally: Tally;
}

function readField(bytes: Uint8Array, at: number, { listKey, tally }: FieldOptions): Field | undefined {
  const key = readKey(bytes, at);
  if (key === undefined) return undefined;
  tally.fields++;
  if (tally.fields > JSON_LIMITS.keys) throw overLimit("keys");
  const { name } = key;
  const from = skipWhitespace(bytes, key.end);
  if (name === listKey) {
    const list = openList(bytes, from, tally);
    tally.depth = FIELD_DEPTH;
    return list && { name, span: { from, to: list.end }, items: list.items };
  }
  const to = skipValue(bytes, from, tally);
  return to > from ? { name, span: { from, to } } : undefined;
}

function resumeList(
  bytes: Uint8Array,
  { listKey, tally }: FieldOptions & { readonly listKey: string },
  { items, listFrom, to }: SplitPrefix,
): Field | undefined {
  const list = readItems(bytes, to, { items: [...items], tally });
  tally.depth = FIELD_DEPTH;
  return list && { name: listKey, span: { from: listFrom, to: list.end }, items: list.items };
}

/** Bodies with longer keys must be parsed. */
const MAX_KEY_BYTES = 256;

/** Returns a key and the position after its colon. Returns undefined for a key with escapes: these are rare, so the body is parsed. */
function readKey(bytes: Uint8Array, from: number): { name: string; end: number } | undefined {
  if (bytes[from] !== QUOTE) return undefined;
  let name = "";
  let end = from + 1;
  const last = end + MAX_KEY_BYTES;
  for (let byte = bytes[end]; end < last && isPlain(byte); byte = bytes[++end]) name += String.fromCharCode(byte);
  if (bytes[end] !== QUOTE) return undefined;
  const colon = skipWhitespace(bytes, end + 1);
  return bytes[colon] === COLON ? { name, end: colon + 1 } : undefined;
}

/** Whether a byte is printable ASCII that needs no escape in a JSON string. */
function isPlain(byte: number | undefined): byte is number {
  return byte !== undefined && byte >= 0x20 && byte < 0x7f && byte !== QUOTE && byte !== BACKSLASH;
}

interface List {
  readonly items: readonly Span[];
  readonly end: number;
}

function openList(bytes: Uint8Array, from: number, tally: Tally): List | undefined {
  if (bytes[from] !== OPEN_BRACKET) return undefined;
  const at = skipWhitespace(bytes, from + 1);
  return bytes[at] === CLOSE_BRACKET ? { items: [], end: at + 1 } : readItems(bytes, at, { items: [], tally });
}

/** Appends the entries from here to the end of the list. */
function readItems(
  bytes: Uint8Array,
  from: number,
  { items, tally }: { readonly items: Span[]; readonly tally: Tally },
): List | undefined {
  tally.depth = ITEM_DEPTH;
  for (let at = from; ; ) {
    const to = skipValue(bytes, at, tally);
    if (to <= at) return undefined;
    if (items.length === JSON_LIMITS.elements) throw overLimit("elements");
    countValue(tally);
    items.push({ from: at, to });
    const next = skipWhitespace(bytes, to);
    if (bytes[next] === CLOSE_BRACKET) return { items, end: next + 1 };
    if (bytes[next] !== COMMA) return undefined;
    at = skipWhitespace(bytes, next + 1);
  }
}
