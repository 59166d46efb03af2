import { table } from "@longhaul/conversation/advanced";
import { asBuffer } from "@longhaul/upstream";
import { type Codec, findField, hasLaterField, peekField, type Span, splitBody } from "@longhaul/wire";
import { knownFields, scanOf } from "./body-bytes.ts";

/** Returns the position of the model's name. It is usually near the start; then the rest is only searched for another one. */
export function findModelField(body: Uint8Array, messagesField: string): Span | undefined {
  const scan = scanOf(body);
  if (scan !== undefined) return scan.model;
  const fields = knownFields(body, messagesField);
  if (fields !== undefined) return fields.get("model");
  const first = peekField(body, "model", messagesField);
  return first !== undefined && !mayName(body, "model", first.to) ? first : findField(body, "model");
}

/** Returns whether a body asks for a stream; undefined if only a parser can find out. */
export function peekStream(body: Uint8Array, messagesField: string): boolean | undefined {
  const scan = scanOf(body);
  if (scan !== undefined) return scan.stream;
  const fields = knownFields(body, messagesField);
  if (fields !== undefined) return isTrue(body, fields.get("stream"));
  const last = LAST_FIELD.exec(asBuffer(body).toString("latin1", body.length - TAIL_BYTES))?.groups?.value;
  if (last !== undefined) return last === "true";
  const first = peekField(body, "stream", messagesField);
  const isSure = !mayName(body, "stream", first?.to ?? 0);
  if (isSure) return isTrue(body, first);
  const split = splitBody(body, messagesField);
  return split && isTrue(body, split.fields.get("stream"));
}

const TAIL_BYTES = 64;
/** The last field of the body: only its end follows, and of several with the same name the last one counts. */
const LAST_FIELD = /(?<=[^\\])"stream"\s*:\s*(?<value>true|false)\s*\}\s*$/;

function isTrue(body: Uint8Array, span: Span | undefined): boolean {
  return span !== undefined && asBuffer(body).toString("latin1", span.from, span.to) === "true";
}

/**
 * Returns whether another field of this name follows, because a parser uses the last one. The name is searched for first: finding every
 * field is slow in a history with many tool calls and code.
 */
function mayName(body: Uint8Array, name: keyof typeof ESCAPED_LETTERS, from: number): boolean {
  const bytes = asBuffer(body);
  if (ESCAPED_LETTERS[name].some((digits) => hasEscape(bytes, digits, from))) return true;
  for (let at = bytes.indexOf(`${name}"`, from); at !== -1; at = bytes.indexOf(`${name}"`, at + 1)) {
    const end = at + name.length + 1;
    if (bytes[at - 1] === QUOTE && BEFORE_VALUE.test(bytes.toString("latin1", end, end + 20))) {
      return hasLaterField(body, name, at - 1);
    }
  }
  return false;
}

/** Digits are rarer than letters in most texts, so searching for them first takes a third of the time. */
function hasEscape(bytes: Buffer, digits: string, from: number): boolean {
  for (let at = bytes.indexOf(digits, from); at !== -1; at = bytes.indexOf(digits, at + 1)) {
    if (bytes[at - 1] === SMALL_U) return true;
  }
  return false;
}

const SMALL_U = 0x75;
const QUOTE = 0x22;
/** A name can be written with escapes; those of its letters start with `u` and these digits, and no client writes them. */
const ESCAPED_LETTERS = table({ model: ["006"], stream: ["006", "007"] } as const);
/** Matches the text after a field's name, or a long run of white space. */
const BEFORE_VALUE = /^\s*(?:$|:)/;

/**
 * Returns whether a body may have reasoning fields. Only field names are checked, not values; names written with escapes are left to the
 * upstream.
 */
export function mentionsReasoning(
  body: Uint8Array,
  { reasoning, messagesField }: Pick<Codec, "reasoning" | "messagesField">,
): boolean {
  const scan = scanOf(body);
  if (scan !== undefined) return scan.mentionsReasoning;
  const { fields: names } = reasoning;
  const known = knownFields(body, messagesField);
  if (known === undefined && !mayNameAny(body, names)) return false;
  const fields = known ?? splitBody(body, messagesField)?.fields;
  return fields === undefined || names.some((name) => fields.has(name));
}

/** Node searches for up to six bytes by the first of them: that takes a millisecond in 4 MB, finding every field up to nine. */
const PIECE_CHARS = 4;

function mayNameAny(body: Uint8Array, names: readonly string[]): boolean {
  const pieces = new Set(names.map((name) => `"${name.slice(0, PIECE_CHARS)}`));
  return [...pieces].some((piece) => asBuffer(body).includes(piece));
}
