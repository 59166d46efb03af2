import type { Composition, PartKind } from "@longhaul/condense/advanced";
import type { Message } from "@longhaul/conversation";
import type { Size } from "@longhaul/models";
import type { Span } from "@longhaul/wire";
import type { KnownMessage } from "./known-messages.ts";

/** The facts about a message that are kept for every message of a conversation. Its hashes are read again if they are needed. */
export type MessageFacts = Omit<KnownMessage, "fingerprint" | "looseFingerprint" | "clearable" | "contentPrint">;

export interface PackedMessage {
  readonly facts: MessageFacts;
  /** Its position, from the start of the first entry of the list. */
  readonly span: Span;
  /** The sizes of its blocks. */
  readonly sizes: readonly Size[];
}

const ROLES: readonly Message["role"][] = ["user", "assistant", "system"];
const KINDS: readonly PartKind[] = ["text", "calls", "results", "thinking", "media", "system", "tools"];

const HAS_TOOL_CALLS = 1 << 2;
const HAS_MEDIA = 1 << 3;
const HAS_MARKS = 1 << 4;
const IS_USER_AUTHORED = 1 << 5;
const IS_PLAIN_TEXT = 1 << 6;
const IS_MIXED = 1 << 7;
const ROLE_BITS = 3;
const SHARE_STEPS = 0xffff;

/** Packs messages that follow `end`, 10 to 20 bytes each. Returns undefined for a size that is not a whole number. */
export function packMessages(messages: readonly PackedMessage[], end: number): Buffer | undefined {
  const bytes: number[] = [];
  let before = end;
  for (const { facts, span, sizes } of messages) {
    packFacts(bytes, facts);
    put(bytes, span.from - before);
    put(bytes, span.to - span.from);
    put(bytes, sizes.length);
    for (const { text, fixed } of sizes) {
      if (!isCount(text) || !isCount(fixed)) return undefined;
      put(bytes, text);
      put(bytes, fixed);
    }
    before = span.to;
  }
  return Buffer.from(bytes);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function packFacts(bytes: number[], facts: MessageFacts): void {
  const { makeUp, images, imageBytes, cacheMarks, isCachedLong } = facts;
  const [first] = makeUp;
  const isMixed = makeUp.length !== 1 || first?.share !== 1;
  bytes.push(
    ROLES.indexOf(facts.role) |
      (facts.hasToolCalls ? HAS_TOOL_CALLS : 0) |
      (facts.hasMedia ? HAS_MEDIA : 0) |
      (cacheMarks > 0 ? HAS_MARKS : 0) |
      (facts.isUserAuthored ? IS_USER_AUTHORED : 0) |
      (facts.isPlainText ? IS_PLAIN_TEXT : 0) |
      (isMixed ? IS_MIXED : 0),
  );
  if (isMixed) put(bytes, makeUp.length);
  for (const { kind, share } of makeUp) {
    bytes.push(KINDS.indexOf(kind));
    const steps = Math.round(share * SHARE_STEPS);
    if (isMixed) bytes.push(steps & 0xff, steps >> 8);
  }
  if (facts.hasMedia) {
    put(bytes, images);
    put(bytes, imageBytes);
  }
  if (cacheMarks > 0) put(bytes, cacheMarks * 2 + (isCachedLong ? 1 : 0));
}

/** Writes a whole number in as many groups of seven bits as it takes. */
function put(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
}

/** Unpacks the messages that follow `end`. */
export function unpackMessages(packed: Uint8Array, end: number): PackedMessage[] {
  const reader = new Reader(packed);
  const messages: PackedMessage[] = [];
  for (let before = end; !reader.isDone; ) {
    const facts = unpackFacts(reader);
    const from = before + reader.take();
    const to = from + reader.take();
    const sizes = Array.from({ length: reader.take() }, () => ({ text: reader.take(), fixed: reader.take() }));
    messages.push({ facts, span: { from, to }, sizes });
    before = to;
  }
  return messages;
}

function unpackFacts(reader: Reader): MessageFacts {
  const flags = reader.byte();
  const has = (flag: number) => (flags & flag) !== 0;
  const makeUp = has(IS_MIXED)
    ? Array.from({ length: reader.take() }, () => ({
        kind: KINDS[reader.byte()] ?? "text",
        share: (reader.byte() + reader.byte() * 0x100) / SHARE_STEPS,
      }))
    : (WHOLE[reader.byte()] ?? []);
  const hasMedia = has(HAS_MEDIA);
  const images = hasMedia ? reader.take() : 0;
  const imageBytes = hasMedia ? reader.take() : 0;
  const marks = has(HAS_MARKS) ? reader.take() : 0;
  return {
    role: ROLES[flags & ROLE_BITS] ?? "user",
    hasToolCalls: has(HAS_TOOL_CALLS),
    hasMedia,
    images,
    imageBytes,
    cacheMarks: marks >> 1,
    isCachedLong: (marks & 1) === 1,
    makeUp,
    isUserAuthored: has(IS_USER_AUTHORED),
    isPlainText: has(IS_PLAIN_TEXT),
  };
}

const WHOLE: readonly Composition[] = KINDS.map((kind) => [{ kind, share: 1 }]);

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  take(): number {
    let value = 0;
    for (let unit = 1; ; unit *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
    }
  }
}
