import type { Block, MediaSource, ToolResultBlock } from "./block.ts";
import type { Hash } from "./hash.ts";
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import type { Message } from "./message.ts";

/**
 * What a message says, as a hash: equal however a client spells the same message (string or single text block, order of keys, cache
 * marks), different for anything that a model would read differently.
 */
export function fingerprint(message: Message, hash: Hash): string {
  return hash(spellMessage(message.role, message.blocks.map(spellBlock), message.extra));
}

/**
 * A looser fingerprint for finding stored state again: thinking is left out and a tool result stands by its call id, because clients
 * clear both from old messages themselves.
 */
export function looseFingerprint(message: Message, hash: Hash): string {
  const kept = message.blocks.filter((block) => block.type !== "thinking" && block.type !== "redacted-thinking");
  const spelled = kept.map((block) => (block.type === "tool-result" ? spellResultById(block) : spellBlock(block)));
  return hash(spellMessage(message.role, spelled, message.extra));
}

/** Folds fingerprints into one hash per prefix: entry `i` stands for the first `i + 1` messages. */
export function prefixHashes(fingerprints: readonly string[], hash: Hash): string[] {
  let previous = "";
  return fingerprints.map((print) => {
    previous = hash(`${previous}/${print}`);
    return previous;
  });
}

function spellMessage(role: string, blocks: readonly JsonValue[], extra: JsonObject | undefined): string {
  return canonicalJson([role, blocks, withoutCacheMarks(extra ?? {})]);
}

function spellResultById(block: ToolResultBlock): JsonValue {
  return ["tool-result", block.callId];
}

function spellBlock(block: Block): JsonValue {
  const spelled = spellKnown(block);
  if (block.type === "opaque" || block.extra === undefined) return spelled;
  return [...spelled, withoutCacheMarks(block.extra)];
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
      return ["opaque", block.kind, withoutCacheMarks(block.native.value)];
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

function withoutCacheMarks(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !CACHE_KEYS.has(key)));
}
