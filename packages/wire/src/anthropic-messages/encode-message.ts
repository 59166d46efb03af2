import {
  type Block,
  type CacheMark,
  type DocumentBlock,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MediaSource,
  type Message,
  type ToolResultBlock,
} from "@longhaul/conversation/advanced";
import type { EncodeOptions } from "../codec/rules.ts";
import { tagSignature } from "../content/signature.ts";
import { inputObject } from "../content/tool-input.ts";
import { defined } from "../fields/json.ts";
import { WIRE } from "./rules.ts";

/** Encodes a message. An unchanged message is written as received. */
export function encodeMessage(message: Message, options: EncodeOptions): JsonValue {
  if (message.native?.wire === WIRE) return message.native.value;
  const content = encodeContent(message.blocks, options);
  return { role: message.role, content, ...extraFor(message.extra, options) };
}

/** Encodes blocks. A single text that was received as a plain string stays one. */
export function encodeContent(blocks: readonly Block[], options: EncodeOptions): JsonValue {
  const only = blocks.length === 1 ? blocks[0]?.native : undefined;
  if (only?.wire === WIRE && typeof only.value === "string") return only.value;
  return blocks.map((block) => encodeBlock(block, options));
}

/** Encodes a block. An unchanged block is written as received. */
export function encodeBlock(block: Block, options: EncodeOptions): JsonObject {
  if (block.native?.wire === WIRE && isJsonObject(block.native.value)) return block.native.value;
  return { ...encodeKnown(block, options), ...extraFor(block.extra, options) };
}

function encodeKnown(block: Block, options: EncodeOptions): JsonObject {
  const mark = "cache" in block ? encodeCache(block.cache) : {};
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text, ...mark };
    case "image":
      return { type: "image", source: encodeSource(block.source), ...mark };
    case "document":
      return { ...encodeDocument(block), ...mark };
    case "tool-call":
      return { type: "tool_use", id: block.id, name: block.name, input: inputObject(block.input), ...mark };
    case "tool-result":
      return { ...encodeResult(block, options), ...mark };
    case "thinking":
      return { type: "thinking", thinking: block.text, signature: tagSignature(block, options.vendor) ?? "" };
    case "redacted-thinking":
      return {
        type: "redacted_thinking",
        data: tagSignature({ ...block, signature: block.data }, options.vendor) ?? "",
      };
    case "compaction":
      // Its signature is in `extra` and is always the vendor's own.
      return {
        type: "compaction",
        content: block.text,
        ...defined({ encrypted_content: block.encrypted }),
        ...block.extra,
        ...mark,
      };
    case "opaque":
      return { type: block.kind };
    default:
      return block satisfies never;
  }
}

export function encodeCache(mark: CacheMark | undefined): JsonObject {
  return mark === undefined ? {} : { cache_control: { type: "ephemeral", ...mark } };
}

function encodeSource(source: MediaSource): JsonObject {
  switch (source.kind) {
    case "base64":
      return { type: "base64", media_type: source.mediaType, data: source.data };
    case "url":
      return { type: "url", url: source.url };
    case "file":
      return { type: "file", file_id: source.id };
    default:
      return source satisfies never;
  }
}

function encodeDocument({ source, title, context }: DocumentBlock): JsonObject {
  const encoded =
    source.kind === "text" ? { type: "text", media_type: "text/plain", data: source.text } : encodeSource(source);
  return { type: "document", source: encoded, ...defined({ title, context }) };
}

function encodeResult({ callId, content, isError }: ToolResultBlock, options: EncodeOptions): JsonObject {
  const encoded = content.length === 0 ? undefined : encodeContent(content, options);
  const failed = isError ? true : undefined;
  return { type: "tool_result", tool_use_id: callId, ...defined({ content: encoded, is_error: failed }) };
}

function extraFor(extra: JsonObject | undefined, options: EncodeOptions): JsonObject {
  return options.extras && extra !== undefined ? extra : {};
}
