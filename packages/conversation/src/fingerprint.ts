import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Block, MediaSource } from "./block.ts";
import type { Conversation, Message, Tool } from "./message.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, spellJson } from "./values/json.ts";

/**
 * What a message says, as a hash: equal however a client spells the same message (string or single text block, order of keys, cache
 * marks), different for anything that a model would read differently.
 */
export function fingerprint(message: Message, hash: Hash): string {
  return hash(spellMessage(message, message.blocks.map(spellBlock)));
}

/**
 * A looser fingerprint for finding stored state again: thinking (and a call's proof of it) is left out and a tool result stands by its
 * call id, because clients clear both from old messages themselves.
 */
export function looseFingerprint(message: Message, hash: Hash): string {
  const kept = message.blocks.filter((block) => block.type !== "thinking" && block.type !== "redacted-thinking");
  return hash(spellMessage(message, kept.map(spellLoosely)));
}

/** Hashes of the content that clients clear from old messages themselves: exactly what the loose fingerprint leaves out. */
export interface ClearablePrints {
  /** One for each tool result, in order. */
  readonly results: readonly string[];
  /** One for each thought, and for each proof of one on a call, in order. */
  readonly thoughts: readonly string[];
}

/** Returns the hashes of a message's clearable content. With the loose fingerprint they say all that the message says. */
export function clearablePrints({ blocks }: Message, hash: Hash): ClearablePrints {
  const print = (spelled: JsonValue) => hash(spellJson(spelled)).slice(0, CLEARABLE_DIGITS);
  return {
    results: blocks.flatMap((block) => (block.type === "tool-result" ? [print(spellBlock(block))] : [])),
    thoughts: blocks.flatMap((block) => {
      if (block.type === "thinking" || block.type === "redacted-thinking") return [print(spellBlock(block))];
      return block.type === "tool-call" && block.signature !== undefined ? [print(["signature", block.signature])] : [];
    }),
  };
}

/** 128 bits in hexadecimal digits: there may be thousands of these for one conversation. */
const CLEARABLE_DIGITS = 32;

/** Hashes the system prompt and the tools of a conversation, however they are spelled. */
export function headFingerprint({ system, tools }: Pick<Conversation, "system" | "tools">, hash: Hash): string {
  return hash(spellJson([system.map(spellBlock), tools.map(spellTool)]));
}

function spellTool({ name, description, inputSchema, kind, extra }: Tool): JsonValue {
  return [name, description ?? null, inputSchema ?? null, kind, ...spellExtra(extra)];
}

/**
 * Folds fingerprints into one hash per prefix: entry `i` stands for the first `i + 1` messages. `before` is the hash of the messages before
 * the first, where there are any.
 */
export function prefixHashes(fingerprints: readonly string[], hash: Hash, before = ""): string[] {
  let previous = before;
  return fingerprints.map((print) => {
    previous = hash(`${previous}/${print}`);
    return previous;
  });
}

function spellMessage({ role, extra }: Message, blocks: readonly JsonValue[]): string {
  return spellJson([role, blocks, ...spellExtra(extra)]);
}

function spellLoosely(block: Block): JsonValue {
  if (block.type === "tool-result") return ["tool-result", block.callId];
  if (block.type !== "tool-call") return spellBlock(block);
  const { signature: _, ...unsigned } = block;
  return spellBlock(unsigned);
}

function spellBlock(block: Block): JsonValue {
  const known = spellKnown(block);
  return block.extra === undefined ? known : [...known, ...spellExtra(block.extra)];
}

/** Null and absent are one: clients drop the nulls that a reply held when they send it back. */
function spellExtra(extra: JsonObject | undefined): JsonValue[] {
  if (extra === undefined) return [];
  const told = Object.entries(withoutCacheMarks(extra)).filter(([, value]) => value !== null);
  return told.length === 0 ? [] : [Object.fromEntries(told)];
}

function spellKnown(block: Block): readonly JsonValue[] {
  switch (block.type) {
    case "text":
      return ["text", block.text];
    case "image":
      return ["image", spellSource(block.source), block.detail ?? "auto"];
    case "document":
      return ["document", spellDocument(block.source), block.title ?? null, block.context ?? null];
    case "tool-call":
      return ["tool-call", block.id, block.name, block.input, block.signature ?? null];
    case "tool-result":
      return ["tool-result", block.callId, block.content.map(spellBlock), block.isError];
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

function spellDocument(source: MediaSource | { readonly kind: "text"; readonly text: string }): JsonValue {
  return source.kind === "text" ? ["text", source.text] : spellSource(source);
}

function spellSource(source: MediaSource): JsonValue {
  switch (source.kind) {
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

/** Where blocks hold blocks. A call's `input` is not among them: a key of the same name in there is the model's own word. */
const NESTING_KEYS = new Set(["content", "source"]);

function withoutCacheMarks(value: JsonObject): JsonObject {
  const kept = Object.entries(value).filter(([key]) => !CACHE_KEYS.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, NESTING_KEYS.has(key) ? unmarkNested(inner) : inner]));
}

function unmarkNested(value: JsonValue): JsonValue {
  if (isJsonObject(value)) return withoutCacheMarks(value);
  return isJsonArray(value) ? value.map(unmarkNested) : value;
}

/** A collision-resistant hash of a text, at least 128 bits, as a short printable string. Passed in, so that pure code stays pure. */
export type Hash = (text: string) => string;

const HASH_BYTES = 16;

/** SHA-256 cut to 128 bits, in plain JavaScript: the default where nobody passes a faster one. */
export function pureHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)).subarray(0, HASH_BYTES));
}
