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
} from "@longhaul/conversation";
import type { EncodeOptions } from "../codec/rules.ts";
import { tagSignature } from "../content/signature.ts";
import { inputObject } from "../content/tool-input.ts";
import { defined } from "../fields/json.ts";
import { WIRE } from "./rules.ts";

/** Writes one message; one that nobody changed is written as it came. */
export function encodeMessage(message: Message, options: EncodeOptions): JsonValue {
  if (message.native?.wire === WIRE) return message.native.value;
  const content = encodeContent(message.blocks, options);
  return { role: message.role, content, ...extraFor(message.extra, options) };
}

/** Writes blocks; a single text that came as a plain string is one again. */
export function encodeContent(blocks: readonly Block[], options: EncodeOptions): JsonValue {
  const only = blocks.length === 1 ? blocks[0]?.native : undefined;
  if (only?.wire === WIRE && typeof only.value === "string") return only.value;
  return blocks.map((block) => encodeBlock(block, options));
}

/** Writes one block; one that nobody changed is written as it came. */
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
      // Its signature is its vendor's own, whatever format the client speaks.
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

/** The spelling of a cache mark. */
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
  const spelled =
    source.kind === "text" ? { type: "text", media_type: "text/plain", data: source.text } : encodeSource(source);
  return { type: "document", source: spelled, ...defined({ title, context }) };
}

function encodeResult({ callId, content, isError }: ToolResultBlock, options: EncodeOptions): JsonObject {
  const said = content.length === 0 ? undefined : encodeContent(content, options);
  const failed = isError ? true : undefined;
  return { type: "tool_result", tool_use_id: callId, ...defined({ content: said, is_error: failed }) };
}

function extraFor(extra: JsonObject | undefined, options: EncodeOptions): JsonObject {
  return options.extras && extra !== undefined ? extra : {};
}
