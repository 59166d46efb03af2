import { createHash, hash } from "node:crypto";
import { CLEARED, type Composition, compositionOf, hasComposedText, mediaBytes, mediaIn } from "@longhaul/condense";
import {
  type Block,
  type CacheMark,
  clearablePrints,
  fingerprint,
  isUserAuthored,
  type JsonValue,
  LruMap,
  looseFingerprint,
  type Message,
  parseJsonText,
  type ToolResultBlock,
  type WireId,
} from "@longhaul/conversation";
import type { CachingCounter, HeadSizes, Size, Tokenizer } from "@longhaul/models";
import { type Codec, codecOf, type RequestLine, type Span } from "@longhaul/wire";
import { splitScanned } from "../request/body-bytes.ts";
import { makePauses, type Pauses } from "../threads/timing.ts";
import { makeKnownFronts } from "./known-fronts.ts";

/** What is known of a message without reading it again. */
export interface KnownMessage {
  /** What it says, however it is spelled. */
  readonly fingerprint: string;
  /** The same without the results and thoughts that clients clear themselves. */
  readonly looseFingerprint: string;
  /** The hashes of those, written by `spellClearable`; empty if there are none. */
  readonly clearable: string;
  /** Hash of the two above: all that it says, wherever its thoughts are among its words. */
  readonly contentPrint: string;
  readonly role: Message["role"];
  readonly hasToolCalls: boolean;
  readonly hasMedia: boolean;
  readonly images: number;
  /** Of its largest image, as it is sent. */
  readonly imageBytes: number;
  /** How many of its parts the client wants cached. */
  readonly cacheMarks: number;
  /** Whether any of them is to be cached for an hour. */
  readonly isCachedLong: boolean;
  readonly makeUp: Composition;
  /** Whether it holds the user's own words or files. */
  readonly isUserAuthored: boolean;
  /** Whether it is text alone, without what a client put together from tools' answers. */
  readonly isPlainText: boolean;
}

/** A body whose messages were looked up. */
export interface LookedUp {
  readonly messages: readonly KnownMessage[];
  readonly spans: readonly Span[];
  /** The value of each top-level field. */
  readonly fields: ReadonlyMap<string, Span>;
}

/** Knows messages again by the bytes they came in. */
export interface KnownMessages {
  /**
   * Looks up the messages of a body; only those never seen are parsed, and others have their turn meanwhile. Nothing where the body must be
   * parsed whole.
   */
  lookUp(body: Uint8Array, codec: Codec, learnLarge?: LearnMessage): Promise<LookedUp | undefined>;
}

/** Reads a message for the first time; nothing if its bytes are not valid JSON. */
export type LearnMessage = (bytes: Uint8Array) => Promise<KnownMessage | undefined>;

/** Reading and counting a longer message could hold up others. */
export const LARGE_MESSAGE_BYTES = 256 * 1024;

/** A message takes some 500 bytes here, so this is about 50 MB at the most. */
const MAX_KNOWN = 100_000;

/** Opens an empty memory of messages; the ones that were not met for the longest time give way. */
export function makeKnownMessages(maxKnown = MAX_KNOWN): KnownMessages {
  const known = new LruMap<KnownMessage>(maxKnown);
  const fronts = makeKnownFronts<KnownMessage>();
  return {
    lookUp: async (body, codec, learnLarge = async (bytes) => learn(bytes, codec)) => {
      const front = fronts.find(body, codec);
      const split = splitScanned(body, codec.messagesField, front?.split);
      if (split === undefined) return undefined;
      const messages = [...(front?.messages ?? [])];
      const pauses = makePauses();
      for (const span of split.items.slice(messages.length)) {
        const bytes = body.subarray(span.from, span.to);
        const key = `${codec.id}/${await hashPaced(bytes, pauses)}`;
        const met = known.get(key);
        if (met === undefined) await pauses.take();
        const found = met ?? (await (bytes.length > LARGE_MESSAGE_BYTES ? learnLarge(bytes) : learn(bytes, codec)));
        if (found === undefined) return undefined;
        known.set(key, found);
        messages.push(found);
      }
      fronts.keep(body, codec, { split, messages, front });
      return { messages, spans: split.items, fields: split.fields };
    },
  };
}

const HASHED_AT_ONCE = 1024 * 1024;

function hashPaced(bytes: Uint8Array, pauses: Pauses): string | Promise<string> {
  return bytes.length > HASHED_AT_ONCE ? hashInPieces(bytes, pauses) : hash("sha256", bytes, "base64url");
}

async function hashInPieces(bytes: Uint8Array, pauses: Pauses): Promise<string> {
  const hashing = createHash("sha256");
  for (let from = 0; from < bytes.length; from += HASHED_AT_ONCE) {
    hashing.update(bytes.subarray(from, from + HASHED_AT_ONCE));
    await pauses.take();
  }
  return hashing.digest("base64url");
}

/** Reads a message for the first time; nothing where it is not JSON, which is for the parser of the whole body to say. */
function learn(bytes: Uint8Array, codec: Codec): KnownMessage | undefined {
  const message = decodeSpan(bytes, codec);
  return message && knowMessage(message);
}

/** What is to be known of a message. */
export function knowMessage(message: Message): KnownMessage {
  const { role, blocks } = message;
  const marks = marksIn(blocks);
  const media = mediaIn(message, 0);
  const images = media.filter(({ block }) => block.type === "image");
  const loose = looseFingerprint(message, sha256);
  const clearable = spellClearable(message);
  return {
    fingerprint: fingerprint(message, sha256),
    looseFingerprint: loose,
    clearable,
    contentPrint: clearable === "" ? loose : sha256(`${loose}/${clearable}`),
    role,
    hasToolCalls: blocks.some((block) => block.type === "tool-call"),
    hasMedia: media.length > 0,
    images: images.length,
    imageBytes: Math.max(0, ...images.map(({ block }) => mediaBytes(block))),
    cacheMarks: marks.length,
    isCachedLong: marks.some(({ ttl }) => ttl === "1h"),
    makeUp: compositionOf(message),
    isUserAuthored: isUserAuthored(message),
    isPlainText: blocks.every(({ type }) => type === "text") && !hasComposedText(message),
  };
}

const CLEARED_MARK = "-";

/** Writes the hashes of a message's clearable content in one text: results, a bar, thoughts. A cleared result's has a mark before it. */
function spellClearable(message: Message): string {
  const { results, thoughts } = clearablePrints(message, sha256);
  if (results.length === 0 && thoughts.length === 0) return "";
  const blocks = message.blocks.filter((block) => block.type === "tool-result");
  const marked = results.map((print, index) => {
    const block = blocks[index];
    return block !== undefined && isClearedResult(block) ? `${CLEARED_MARK}${print}` : print;
  });
  return `${marked.join(",")}|${thoughts.join(",")}`;
}

/**
 * Whether the clearable content that a message has now is what it had then, except for what was cleared since: a result that is empty or
 * holds a known clearing text, a thought that is gone. Another result or another thought is not.
 */
export function isSameOrCleared(now: string, then: string): boolean {
  if (now === then) return true;
  const [results = "", thoughts = ""] = now.split("|");
  const [resultsThen = "", thoughtsThen = ""] = then.split("|");
  const prints = resultsThen.split(",");
  const isResultKept = (print: string, index: number) => print === prints[index] || print.startsWith(CLEARED_MARK);
  return results.split(",").every(isResultKept) && isInOrder(thoughts, thoughtsThen);
}

/** Whether these prints are all among those, in the same order. */
function isInOrder(prints: string, all: string): boolean {
  const rest = all.split(",");
  if (prints === "") return true;
  let next = 0;
  for (const print of prints.split(",")) {
    const found = rest.indexOf(print, next);
    if (found === -1) return false;
    next = found + 1;
  }
  return true;
}

/** The client's wishes to have something cached, among these blocks. */
export function marksIn(blocks: readonly Block[]): CacheMark[] {
  return blocks.flatMap((block) => {
    const own = "cache" in block && block.cache !== undefined ? [block.cache] : [];
    return block.type === "tool-result" ? [...marksIn(block.content), ...own] : own;
  });
}

/** The message that these bytes spell, if they spell one. */
export function decodeSpan(bytes: Uint8Array, codec: Codec): Message | undefined {
  let value: JsonValue;
  try {
    value = parseJsonText(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
  return codec.decodeMessage(value);
}

/** The hash by which messages are known everywhere in the gateway. */
export function sha256(text: string): string {
  return hash("sha256", text);
}

/**
 * Texts that replace a cleared result, whole and exact. A text that quotes the result, as Gemini CLI's
 * `<tool_output_masked>` does, is another result and is not among them.
 */
const CLEARING_TEXTS: ReadonlySet<string> = new Set([
  // Claude Code (microcompact), opencode (prune), Qwen Code and OpenClaw.
  "[Old tool result content cleared]",
  // LangChain's ClearToolUsesEdit, in Python and JavaScript.
  "[cleared]",
  // The dynamic context pruning plugin of opencode.
  "[Output removed to save context - information superseded or no longer needed]",
  // This gateway, when it carries out `clear_tool_uses_20250919` for an upstream that has no such edit.
  CLEARED,
]);

/** Whether a client cleared this result: it holds nothing, or a known clearing text alone. */
export function isClearedResult({ content }: ToolResultBlock): boolean {
  return content.every(isCleared);
}

function isCleared(part: Block): boolean {
  return part.type === "text" && (part.text === "" || CLEARING_TEXTS.has(part.text));
}

/** A large piece of a body, to be read and counted: one message, or everything but the messages. */
export interface Piece {
  readonly kind: "message" | "head";
  readonly bytes: Uint8Array;
  readonly wire: WireId;
  readonly line: RequestLine;
  readonly tokenizer: Tokenizer;
}

/** The message or the sizes that were read from a piece. */
export interface Measured {
  /** Absent for a head, and for bytes that are not a message. */
  readonly message?: { readonly known: KnownMessage; readonly sizes: readonly Size[] };
  readonly head?: HeadSizes;
}

/** Reads and counts a large piece of a body. */
export function measurePiece({ kind, bytes, wire, line }: Piece, counter: CachingCounter): Measured {
  const codec = codecOf(wire);
  if (kind === "head") {
    const { conversation } = codec.decodeRequest(parseJsonText(new TextDecoder().decode(bytes)), line);
    return { head: counter.measureHead(conversation) };
  }
  const message = decodeSpan(bytes, codec);
  return message === undefined
    ? {}
    : { message: { known: knowMessage(message), sizes: counter.measureMessage(message) } };
}

/** Has a piece read and counted, here or in another thread. */
export type MeasurePiece = (piece: Piece) => Promise<Measured>;
