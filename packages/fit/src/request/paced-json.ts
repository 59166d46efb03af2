import { isUtf8 } from "node:buffer";
import {
  isJsonArray,
  isJsonObject,
  type JsonValue,
  LonghaulError,
  parseJsonText,
} from "@longhaul/conversation/advanced";
import { isShort } from "@longhaul/wire";
import { makePauses, type Pauses } from "../threads/timing.ts";
import { countValues, SMALL_BODY_BYTES } from "./body-bytes.ts";

/** JSON.parse takes about a microsecond for a new key. */
const FEW_VALUES = 20_000;
/** Longer strings are read and written in pieces of this many bytes or characters. */
const PIECE = 256 * 1024;
/** How many values are read or written between two looks at the clock. */
const STRIDE = 256;

/**
 * Returns whether parsing a body could block other requests. `listKey` names its messages, so that the split can be reused. A body over the
 * limits throws `request.body-too-large`.
 */
export function isSlowToParse(bytes: Uint8Array, listKey: string): boolean {
  // Counting comes first, because it checks the limits. Invalid UTF-8 takes far longer to decode.
  return isSlowToWrite(bytes, listKey) || !(isShort(bytes) || isUtf8(bytes));
}

/** Returns whether writing a value of this body's size could block other requests. */
export function isSlowToWrite(bytes: Uint8Array, listKey: string): boolean {
  return !isShort(bytes) && (countValues(bytes, listKey) > FEW_VALUES || bytes.length > SMALL_BODY_BYTES);
}

/**
 * Parses a long JSON text like `JSON.parse`, with pauses for other work. Invalid JSON throws `request.malformed`. The text must be within
 * the limits.
 */
export async function parsePaced(bytes: Uint8Array, pauses = makePauses()): Promise<JsonValue> {
  const reader = new Reader(bytes, pauses);
  return await reader.read();
}

/** An array or object that is being read. */
interface Frame {
  readonly value: JsonValue[] | Record<string, JsonValue>;
  /** The key of the next value; absent in an array. */
  key?: string;
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const LITERALS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const SMALL_U = 0x75;
const BYTE_ORDER_MARK = "\ufeff";

class Reader {
  readonly #bytes: Uint8Array;
  readonly #pauses: Pauses;
  #at = 0;

  constructor(bytes: Uint8Array, pauses: Pauses) {
    this.#bytes = bytes;
    this.#pauses = pauses;
    if (utf8.decode(bytes.subarray(0, 3)) === BYTE_ORDER_MARK) this.#at = 3;
  }

  async read(): Promise<JsonValue> {
    const frames: Frame[] = [];
    for (let steps = 1; ; steps++) {
      if (steps % STRIDE === 0) await this.#pauses.take();
      let value = this.#open(frames) ?? (await this.#scalar());
      // The end of a value may also end its containers.
      while (value !== OPENED) {
        const frame = frames.at(-1);
        if (frame === undefined) return this.#end(value);
        put(frame, value);
        value = this.#close(frame) ? (frames.pop()?.value ?? null) : OPENED;
      }
    }
  }

  /** Opens a container; an empty one is returned at once. */
  #open(frames: Frame[]): JsonValue | typeof OPENED | undefined {
    const byte = this.#next();
    if (byte !== OPEN_BRACE && byte !== OPEN_BRACKET) return undefined;
    this.#at++;
    const isObject = byte === OPEN_BRACE;
    if (this.#next() === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
      this.#at++;
      return isObject ? {} : [];
    }
    const frame: Frame = { value: isObject ? {} : [] };
    frames.push(frame);
    if (isObject) frame.key = this.#key();
    return OPENED;
  }

  /** Skips a comma and returns false, or skips the end of the container and returns true. */
  #close(frame: Frame): boolean {
    const byte = this.#next();
    const isObject = frame.key !== undefined;
    this.#at++;
    if (byte === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) return true;
    if (byte !== COMMA) throw this.#invalid();
    if (isObject) frame.key = this.#key();
    return false;
  }

  #key(): string {
    if (this.#next() !== QUOTE) throw this.#invalid();
    const key = this.#parsed(this.#at, this.#stringEnd());
    if (typeof key !== "string" || this.#next() !== COLON) throw this.#invalid();
    this.#at++;
    return key;
  }

  async #scalar(): Promise<JsonValue> {
    if (this.#next() === QUOTE) return await this.#string();
    const from = this.#at;
    while (this.#at < this.#bytes.length && !isDelimiter(this.#bytes[this.#at])) this.#at++;
    const text = utf8.decode(this.#bytes.subarray(from, this.#at));
    const literal = LITERALS.get(text);
    if (literal !== undefined) return literal;
    if (!NUMBER.test(text)) throw this.#invalid();
    return Number(text);
  }

  async #string(): Promise<string> {
    const from = this.#at;
    let pieceFrom = from + 1;
    let text = "";
    for (let at = pieceFrom; ; ) {
      const end = this.#pieceEnd(at);
      const isLast = this.#bytes[end] === QUOTE;
      text += this.#parsed(pieceFrom, end, true);
      if (isLast) {
        this.#at = end + 1;
        return text;
      }
      at = end;
      pieceFrom = end;
      await this.#pauses.take();
    }
  }

  /** Returns the end of the string, or of a piece that splits neither an escape nor a character. */
  #pieceEnd(from: number): number {
    const bytes = this.#bytes;
    let at = from;
    for (const last = from + PIECE; ; ) {
      const byte = bytes[at];
      if (byte === undefined) throw this.#invalid();
      if (byte === QUOTE || (at > last && (byte & 0xc0) !== 0x80)) return at;
      if (byte !== BACKSLASH) at++;
      else at += bytes[at + 1] === SMALL_U ? 6 : 2;
    }
  }

  /** Returns the end of the short string that starts here, after its quote. */
  #stringEnd(): number {
    const end = this.#pieceEnd(this.#at + 1);
    if (this.#bytes[end] !== QUOTE) throw new LonghaulError("request.malformed", "the body has a key that is too long");
    return end + 1;
  }

  #parsed(from: number, to: number, isPiece = false): unknown {
    const text = utf8.decode(this.#bytes.subarray(from, to));
    this.#at = to;
    try {
      return parseJsonText(isPiece ? `"${text}"` : text);
    } catch {
      throw this.#invalid();
    }
  }

  #end(value: JsonValue): JsonValue {
    if (this.#next() !== undefined) throw this.#invalid();
    return value;
  }

  /** Returns the next byte that is not white space. */
  #next(): number | undefined {
    const bytes = this.#bytes;
    let byte = bytes[this.#at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++this.#at];
    return byte;
  }

  #invalid(): LonghaulError {
    return new LonghaulError("request.malformed", `the body is not valid JSON: unexpected input near byte ${this.#at}`);
  }
}

/** Marks a container whose values follow. */
const OPENED = Symbol("opened");

function put({ value, key }: Frame, inner: JsonValue): void {
  if (Array.isArray(value)) value.push(inner);
  else if (key === "__proto__") Object.defineProperty(value, key, { value: inner, ...OWN });
  else if (key !== undefined) value[key] = inner;
}

const OWN = { configurable: true, enumerable: true, writable: true } as const;

function isDelimiter(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte === undefined || byte <= 0x20;
}

/** Writes a long value like `JSON.stringify`, with pauses for other work. */
export async function stringifyPaced(value: JsonValue, pauses = makePauses()): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let text = "";
  let steps = 0;
  for (const piece of writePieces(value)) {
    text += piece;
    steps++;
    if (text.length < PIECE && steps % STRIDE !== 0) continue;
    if (text.length >= PIECE) {
      pieces.push(Buffer.from(text));
      text = "";
    }
    await pauses.take();
  }
  return Buffer.concat([...pieces, Buffer.from(text)]);
}

function* writePieces(value: JsonValue): Generator<string> {
  if (typeof value === "string" && value.length > PIECE) return yield* writeLong(value);
  if (isJsonArray(value)) {
    yield "[";
    for (const [index, inner] of value.entries()) {
      if (index > 0) yield ",";
      yield* writePieces(inner);
    }
    return yield "]";
  }
  if (!isJsonObject(value)) return yield JSON.stringify(value);
  let mark = "{";
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    yield `${mark}${JSON.stringify(key)}:`;
    yield* writePieces(inner);
    mark = ",";
  }
  yield mark === "{" ? "{}" : "}";
}

function* writeLong(text: string): Generator<string> {
  yield '"';
  for (let from = 0; from < text.length; ) {
    const most = Math.min(from + PIECE, text.length);
    // Half of a surrogate pair would be written as an escape.
    const to = isFirstOfPair(text.charCodeAt(most - 1)) ? most - 1 || most : most;
    const end = to > from ? to : most;
    yield JSON.stringify(text.slice(from, end)).slice(1, -1);
    from = end;
  }
  yield '"';
}

function isFirstOfPair(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
