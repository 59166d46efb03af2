import { isUtf8 } from "node:buffer";
import { randomBytes } from "node:crypto";
import { isJsonObject, type JsonObject } from "@longhaul/conversation";
import { asBuffer } from "@longhaul/upstream";
import { findLongTexts, parseShort, SHORT_BYTES, type Span } from "@longhaul/wire";
import { SMALL_BODY_BYTES } from "./body-bytes.ts";

/** A parsed body in which marks take the place of long texts. Their bytes go into the outgoing body without being parsed and written. */
export interface Outline {
  readonly value: JsonObject;
  /**
   * Puts the texts into a body that was written from the outline's value. Returns undefined unless it contains every text exactly once,
   * as it is: then the request must be parsed and written as a whole.
   */
  fill(written: Buffer): Buffer | undefined;
}

/** Smaller bodies are parsed and written faster as a whole. */
const MIN_BYTES = 16 * 1024;

/** Clients cannot guess it, so no text of theirs contains a mark. */
const SECRET = randomBytes(12).toString("hex");
/** The line break shows how often the mark was escaped: once, unless it was written as JSON inside a text. */
const BEFORE_SECRET = "[\\n";
const FIRST = `${BEFORE_SECRET}${SECRET}`;
const END = "]";

/** Parses a body without its long texts. Returns undefined if that is not possible, not certain, or not worthwhile. */
export function outlineOf(body: Uint8Array): Outline | undefined {
  if (body.length < MIN_BYTES || body.length > SMALL_BODY_BYTES || !isUtf8(body)) return undefined;
  const bytes = asBuffer(body);
  const texts = findLongTexts(bytes, Math.min(SHORT_BYTES, body.length / 2));
  if (texts === undefined || texts.length === 0) return undefined;
  const value = parsed(markedBody(bytes, texts));
  if (!isJsonObject(value)) return undefined;
  return { value, fill: (written) => filled(written, bytes, texts) };
}

/** The parser of the whole body reports errors. */
function parsed(bytes: Buffer): unknown {
  try {
    return parseShort(bytes);
  } catch {
    return undefined;
  }
}

function markedBody(bytes: Buffer, texts: readonly Span[]): Buffer {
  const marked = Buffer.allocUnsafe(bytes.length - sizeOf(texts) + texts.length * MAX_MARK);
  let length = 0;
  let at = 0;
  for (const [index, { from, to }] of texts.entries()) {
    length += bytes.copy(marked, length, at, from);
    length += marked.write(`${FIRST}${index}${END}`, length, "latin1");
    at = to;
  }
  length += bytes.copy(marked, length, at);
  return marked.subarray(0, length);
}

const MAX_MARK = FIRST.length + END.length + 8;

function sizeOf(texts: readonly Span[]): number {
  return texts.reduce((sum, { from, to }) => sum + to - from, 0);
}

function filled(written: Buffer, bytes: Buffer, texts: readonly Span[]): Buffer | undefined {
  const whole = Buffer.allocUnsafe(written.length + sizeOf(texts));
  const missing = new Set(texts);
  let length = 0;
  let from = 0;
  for (let at = written.indexOf(SECRET); at !== -1; at = written.indexOf(SECRET, from)) {
    const start = at + SECRET.length - FIRST.length;
    const end = written.indexOf(END, at);
    const text = texts[Number(written.toString("latin1", at + SECRET.length, end))];
    const isPlain = start >= from && written.toString("latin1", start, at) === BEFORE_SECRET;
    if (!isPlain || text === undefined || !missing.delete(text)) return undefined;
    length += written.copy(whole, length, from, start);
    length += bytes.copy(whole, length, text.from, text.to);
    from = end + END.length;
  }
  length += written.copy(whole, length, from);
  return missing.size > 0 ? undefined : whole.subarray(0, length);
}
