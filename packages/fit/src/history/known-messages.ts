import { hash } from "node:crypto";
import {
  CLEARED,
  type Composition,
  compositionOf,
  hasComposedText,
  mediaBytes,
  mediaIn,
} from "@longhaul/condense/advanced";
import {
  type Block,
  type CacheMark,
  clearablePrints,
  fingerprint,
  headFingerprint,
  isUserAuthored,
  looseFingerprint,
  type Message,
  parseJsonText,
  type ToolResultBlock,
  tryParseJson,
  type WireId,
} from "@longhaul/conversation/advanced";
import type { CachingCounter, HeadSizes, Size, Tokenizer } from "@longhaul/models/advanced";
import { type Codec, codecOf, type RequestLine } from "@longhaul/wire";

/** The stored facts about a message, known without reading it again. */
export interface KnownMessage {
  /** Hash of its content, independent of its spelling. */
  readonly fingerprint: string;
  /** The same without results and thinking that clients clear themselves. */
  readonly looseFingerprint: string;
  /** The hashes of those, written by `encodeClearable`; empty if there are none. */
  readonly clearable: string;
  /** Hash of the two above: all of its content, wherever its thinking is placed. */
  readonly contentPrint: string;
  readonly role: Message["role"];
  readonly hasToolCalls: boolean;
  readonly hasMedia: boolean;
  readonly images: number;
  /** Size of its largest image, as sent. */
  readonly imageBytes: number;
  /** How many of its parts have cache marks. */
  readonly cacheMarks: number;
  /** Whether any of them is cached for an hour. */
  readonly isCachedLong: boolean;
  readonly makeUp: Composition;
  /** Whether it has the user's own words or files. */
  readonly isUserAuthored: boolean;
  /** Whether it is only text, without tool results that a client wrote as text. */
  readonly isPlainText: boolean;
}

/** Reads a message for the first time. Returns undefined if it is not JSON, which the parser of the whole body reports. */
export function learn(bytes: Uint8Array, codec: Codec): KnownMessage | undefined {
  const message = decodeSpan(bytes, codec);
  return message && knowMessage(message);
}

/** Collects the facts about a message. */
export function knowMessage(message: Message): KnownMessage {
  const { role, blocks } = message;
  const marks = marksIn(blocks);
  const media = mediaIn(message, 0);
  const images = media.filter(({ block }) => block.type === "image");
  const loose = looseFingerprint(message, sha256);
  const clearable = encodeClearable(message);
  return {
    fingerprint: fingerprint(message, sha256),
    looseFingerprint: loose,
    clearable,
    contentPrint: contentPrintOf(loose, clearable),
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

/** The object of a known message with its hashes. Each kind in its composition takes about 60 bytes more. */
const MESSAGE_BYTES = 500;
const KIND_BYTES = 60;

/** Returns about how many bytes a known message takes in memory. */
export function bytesOf({ clearable, makeUp }: KnownMessage): number {
  return MESSAGE_BYTES + clearable.length + (makeUp.length > 1 ? makeUp.length * KIND_BYTES : 0);
}

/** Returns the hash of all content of a message. */
export function contentPrintOf(looseFingerprint: string, clearable: string): string {
  return clearable === "" ? looseFingerprint : sha256(`${looseFingerprint}/${clearable}`);
}

const CLEARED_MARK = "-";

/** Writes the hashes of a message's clearable content as one text: results, a bar, thinking. A cleared result's hash has a mark before it. */
function encodeClearable(message: Message): string {
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
 * Returns whether a message's clearable content is the same as before, except for content that was cleared since: a result that is empty or
 * a known clearing text, or removed thinking. Other results or thinking do not count as cleared.
 */
export function isSameOrCleared(now: string, then: string): boolean {
  if (now === then) return true;
  const [results = "", thoughts = ""] = now.split("|");
  const [resultsThen = "", thoughtsThen = ""] = then.split("|");
  const prints = resultsThen.split(",");
  const isResultKept = (print: string, index: number) => print === prints[index] || print.startsWith(CLEARED_MARK);
  return results.split(",").every(isResultKept) && isInOrder(thoughts, thoughtsThen);
}

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

export function marksIn(blocks: readonly Block[]): CacheMark[] {
  return blocks.flatMap((block) => {
    const own = "cache" in block && block.cache !== undefined ? [block.cache] : [];
    return block.type === "tool-result" ? [...marksIn(block.content), ...own] : own;
  });
}

export function decodeSpan(bytes: Uint8Array, codec: Codec): Message | undefined {
  const value = tryParseJson(new TextDecoder().decode(bytes));
  return value === undefined ? undefined : codec.decodeMessage(value);
}

/** The gateway's hash of messages. */
export function sha256(text: string): string {
  return hash("sha256", text);
}

/**
 * Texts that replace a cleared result as a whole. A text that quotes the result, such as Gemini CLI's `<tool_output_masked>`, is another
 * result and not included.
 */
const CLEARING_TEXTS: ReadonlySet<string> = new Set([
  // Claude Code (microcompact), opencode (prune), Qwen Code and OpenClaw.
  "[Old tool result content cleared]",
  // LangChain's ClearToolUsesEdit, in Python and JavaScript.
  "[cleared]",
  // The dynamic context pruning plugin of opencode.
  "[Output removed to save context - information superseded or no longer needed]",
  // This gateway, for `clear_tool_uses_20250919` at an upstream without that edit.
  CLEARED,
]);

/** Returns whether a client cleared this result: it is empty or only a known clearing text. */
export function isClearedResult({ content }: ToolResultBlock): boolean {
  return content.every(isCleared);
}

function isCleared(part: Block): boolean {
  return part.type === "text" && (part.text === "" || CLEARING_TEXTS.has(part.text));
}

/** A large piece of a body to read and count: one message, or everything but the messages. */
export interface Piece {
  readonly kind: "message" | "head";
  readonly bytes: Uint8Array;
  readonly wire: WireId;
  readonly line: RequestLine;
  readonly tokenizer: Tokenizer;
}

/** The message or the sizes read from a piece. */
export interface Measured {
  /** Absent for a head, and for bytes that are not a message. */
  readonly message?: { readonly known: KnownMessage; readonly sizes: readonly Size[] };
  readonly head?: { readonly sizes: HeadSizes; readonly print: string };
  /** Whether the sizes were estimated without the vocabulary. */
  readonly isEstimate?: true;
}

/** Reads and counts a large piece of a body. */
export function measurePiece({ kind, bytes, wire, line }: Piece, counter: CachingCounter): Measured {
  const codec = codecOf(wire);
  const how = counter.isEstimate === true ? { isEstimate: true as const } : {};
  if (kind === "head") {
    const { conversation } = codec.decodeRequest(parseJsonText(new TextDecoder().decode(bytes)), line);
    return { ...how, head: { sizes: counter.measureHead(conversation), print: headFingerprint(conversation, sha256) } };
  }
  const message = decodeSpan(bytes, codec);
  return message === undefined
    ? {}
    : { ...how, message: { known: knowMessage(message), sizes: counter.measureMessage(message) } };
}

/** Reads and counts a piece, here or in another thread. */
export type MeasurePiece = (piece: Piece) => Promise<Measured>;
