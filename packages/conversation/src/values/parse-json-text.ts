import type { JsonValue } from "./json.ts";

/**
 * Parses JSON like `JSON.parse`. Use it for every text from outside: V8 13.6 to 14.6 (Node 24 to 26) can return an escaped key as a
 * different key that an earlier text contained. After `{"\\":1}`, `JSON.parse('{"\\u540d":2}')` is `{"\\":2}`, so one client could change
 * how another one's body is read. A wrong key always contains a backslash; a text with such keys is read again without V8's parser.
 */
export function parseJsonText(text: string): JsonValue {
  const value: JsonValue = JSON.parse(text);
  return text.includes("\\") && hasBackslashKey(value) ? readValidJson(text) : value;
}

/** Parses JSON like `parseJsonText`. Returns undefined if the text is not valid JSON. */
export function tryParseJson(text: string): JsonValue | undefined {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

/** Whether any key in a value contains a backslash. Values may be nested deeper than the call stack. */
function hasBackslashKey(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  const containers: object[] = [value];
  for (let container = containers.pop(); container !== undefined; container = containers.pop()) {
    const isList = Array.isArray(container);
    for (const [key, inner] of Object.entries(container)) {
      if (!isList && key.includes("\\")) return true;
      if (typeof inner === "object" && inner !== null) containers.push(inner);
    }
  }
  return false;
}

/** An object or array that is being filled. */
interface Frame {
  readonly value: JsonValue[] | Record<string, JsonValue>;
  /** The key of the next value; absent in an array. */
  key?: string;
}

/** Reads a text that is known to be valid JSON. V8 only parses its single strings, numbers and literals. */
function readValidJson(text: string): JsonValue {
  const list: JsonValue[] = [];
  const frames: Frame[] = [{ value: list }];
  for (const token of tokensOf(text)) {
    const frame = frames.at(-1);
    if (frame === undefined) break;
    if (token === "}" || token === "]") frames.pop();
    else if (token === "{" || token === "[") {
      const inner: Frame = { value: token === "{" ? {} : [] };
      put(frame, inner.value);
      frames.push(inner);
    } else addScalar(frame, JSON.parse(token));
  }
  return list[0] ?? null;
}

const SEPARATORS = " \t\n\r,:";

/** Brackets, strings, numbers and literals, in order. */
function* tokensOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at);
    let end = at + 1;
    if (character === '"') end = stringEnd(text, at);
    else if (!`${SEPARATORS}{}[]`.includes(character)) end = scalarEnd(text, at);
    if (!SEPARATORS.includes(character)) yield text.slice(at, end);
    at = end;
  }
}

/** In an object, keys and values alternate. */
function addScalar(frame: Frame, scalar: JsonValue): void {
  if (Array.isArray(frame.value) || frame.key !== undefined) put(frame, scalar);
  else frame.key = String(scalar);
}

function put(frame: Frame, inner: JsonValue): void {
  const { value, key = "" } = frame;
  if (Array.isArray(value)) {
    value.push(inner);
    return;
  }
  // Assigning to `__proto__` would set the prototype.
  Object.defineProperty(value, key, { value: inner, configurable: true, enumerable: true, writable: true });
  delete frame.key;
}

function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
  return at + 1;
}

function scalarEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !`${SEPARATORS}}]`.includes(text.charAt(at))) at++;
  return at;
}
