import type { Block, DocumentBlock } from "./block.ts";
import type { Conversation, Message, Tool } from "./message.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stableStringify } from "./values/json.ts";
import { sha256 } from "./values/sha256.ts";

/**
 * Hashes the content of a message. Two messages have the same fingerprint if a model reads them the same way: key order, cache marks and
 * the choice between a string and a single text block do not matter.
 */
export function fingerprint(message: Message, hash: Hash): string {
  return hash(messageText(message, message.blocks.map(blockContent)));
}

/**
 * Hashes a message without its thinking, without signatures of tool calls, and with each tool result reduced to its call id: clients clear
 * these from old messages, and stored state must still be found.
 */
export function looseFingerprint(message: Message, hash: Hash): string {
  const kept = message.blocks.filter((block) => block.type !== "thinking" && block.type !== "redacted-thinking");
  return hash(messageText(message, kept.map(looseBlockContent)));
}

/** Hashes of the content that clients clear from old messages: exactly what the loose fingerprint leaves out. */
export interface ClearablePrints {
  /** One hash per tool result, in order. */
  readonly results: readonly string[];
  /** One hash per thinking block and per signature of a tool call, in order. */
  readonly thoughts: readonly string[];
}

/** Hashes a message's clearable content. Together with the loose fingerprint, the hashes cover the whole message. */
export function clearablePrints({ blocks }: Message, hash: Hash): ClearablePrints {
  const print = (content: JsonValue) => hash(stableStringify(content)).slice(0, CLEARABLE_DIGITS);
  return {
    results: blocks.flatMap((block) => (block.type === "tool-result" ? [print(blockContent(block))] : [])),
    thoughts: blocks.flatMap((block) => {
      if (block.type === "thinking" || block.type === "redacted-thinking") return [print(blockContent(block))];
      return block.type === "tool-call" && block.signature !== undefined ? [print(["signature", block.signature])] : [];
    }),
  };
}

/** 128 bits in hexadecimal digits; a conversation may have thousands of these hashes. */
const CLEARABLE_DIGITS = 32;

/** Hashes the system prompt and the tools of a conversation. */
export function headFingerprint({ system, tools }: Pick<Conversation, "system" | "tools">, hash: Hash): string {
  return hash(stableStringify([system.map(blockContent), tools.map(toolContent)]));
}

function toolContent({ name, description, inputSchema, kind, extra }: Tool): JsonValue {
  return [name, description ?? null, inputSchema ?? null, kind, ...extraContent(extra)];
}

/**
 * Chains fingerprints into one hash per prefix: entry `i` covers the first `i + 1` messages. `before` is the hash of the messages before
 * the first one, if there are any.
 */
export function prefixHashes(fingerprints: readonly string[], hash: Hash, before = ""): string[] {
  let previous = before;
  return fingerprints.map((print) => {
    previous = hash(`${previous}/${print}`);
    return previous;
  });
}

function messageText({ role, extra }: Message, blocks: readonly JsonValue[]): string {
  return stableStringify([role, blocks, ...extraContent(extra)]);
}

function looseBlockContent(block: Block): JsonValue {
  if (block.type === "tool-result") return ["tool-result", block.callId];
  if (block.type !== "tool-call") return blockContent(block);
  const { signature: _, ...unsigned } = block;
  return blockContent(unsigned);
}

function blockContent(block: Block): JsonValue {
  const known = knownContent(block);
  return block.extra === undefined ? known : [...known, ...extraContent(block.extra)];
}

/** Treats null and absent alike: clients drop a reply's null fields when they send it back. */
function extraContent(extra: JsonObject | undefined): JsonValue[] {
  if (extra === undefined) return [];
  const present = Object.entries(withoutCacheMarks(extra)).filter(([, value]) => value !== null);
  return present.length === 0 ? [] : [Object.fromEntries(present)];
}

function knownContent(block: Block): readonly JsonValue[] {
  switch (block.type) {
    case "text":
      return ["text", block.text];
    case "image":
      return ["image", sourceContent(block.source), block.detail ?? "auto"];
    case "document":
      return ["document", sourceContent(block.source), block.title ?? null, block.context ?? null];
    case "tool-call":
      return ["tool-call", block.id, block.name, block.input, block.signature ?? null];
    case "tool-result":
      return ["tool-result", block.callId, block.content.map(blockContent), block.isError];
    case "thinking":
      return ["thinking", block.text, block.signature ?? null, block.id ?? null];
    case "redacted-thinking":
      return ["redacted-thinking", block.data];
    case "compaction":
      return ["compaction", block.text, block.encrypted ?? null];
    case "opaque":
      return ["opaque", block.kind, unmarkNested(block.native.value)];
    default:
      return block satisfies never;
  }
}

function sourceContent(source: DocumentBlock["source"]): JsonValue {
  switch (source.kind) {
    case "text":
      return ["text", source.text];
    case "base64":
      return ["base64", source.mediaType, source.data];
    case "url":
      return ["url", source.url];
    case "file":
      return ["file", source.id];
    default:
      return source satisfies never;
  }
}

const CACHE_KEYS = new Set(["cache_control", "prompt_cache_breakpoint", "cachePoint"]);

/** Keys that hold nested blocks. A call's `input` is not one of them: its keys belong to the model. */
const NESTING_KEYS = new Set(["content", "source"]);

function withoutCacheMarks(value: JsonObject): JsonObject {
  const kept = Object.entries(value).filter(([key]) => !CACHE_KEYS.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, NESTING_KEYS.has(key) ? unmarkNested(inner) : inner]));
}

function unmarkNested(value: JsonValue): JsonValue {
  if (isJsonObject(value)) return withoutCacheMarks(value);
  return isJsonArray(value) ? value.map(unmarkNested) : value;
}

/** A collision-resistant hash of at least 128 bits, as a short printable string. Callers pass it in to keep this package pure. */
export type Hash = (text: string) => string;

const HASH_DIGITS = 32;

/** SHA-256 truncated to 128 bits, in plain JavaScript. The default if the caller passes no faster hash. */
export function pureHash(text: string): string {
  return sha256(text).slice(0, HASH_DIGITS);
}
