import type { Block, Conversation, JsonValue, Message } from "@longhaul/conversation";
import { bytesOf } from "../content/media.ts";
import { sum } from "../edits/sum.ts";

/** What a block takes besides its content, about: its keys, braces and quotes. */
const BLOCK_BYTES = 60;

/** The bytes that a conversation takes as JSON, about: what it holds, however the format spells the rest. */
export function bodyBytes({ system, tools, messages }: Conversation): number {
  return sum(system.map(blockBytes)) + jsonBytes(tools.map(withoutNative)) + sum(messages.map(messageBytes));
}

function messageBytes({ blocks }: Message): number {
  return BLOCK_BYTES + sum(blocks.map(blockBytes));
}

function blockBytes(block: Block): number {
  return BLOCK_BYTES + contentBytes(block);
}

function contentBytes(block: Block): number {
  switch (block.type) {
    case "text":
      return textBytes(block.text);
    case "image":
      return bytesOf(block);
    case "document":
      return block.source.kind === "text" ? textBytes(block.source.text) : bytesOf(block);
    case "tool-call":
      return jsonBytes(block.input) + textBytes(block.signature ?? "");
    case "tool-result":
      return sum(block.content.map(blockBytes));
    case "thinking":
      return textBytes(block.text) + textBytes(block.signature ?? "");
    case "redacted-thinking":
      return textBytes(block.data);
    case "compaction":
      return textBytes(block.text ?? "") + textBytes(block.encrypted ?? "");
    case "opaque":
      return jsonBytes(block.native.value);
    default:
      return block satisfies never;
  }
}

function withoutNative<T extends { native?: unknown }>({ native: _, ...part }: T): Omit<T, "native"> {
  return part;
}

function jsonBytes(value: JsonValue | readonly object[]): number {
  return utf8Bytes(JSON.stringify(value));
}

/** A text inside JSON: some characters are escaped there. */
function textBytes(text: string): number {
  return utf8Bytes(JSON.stringify(text));
}

/** The bytes of a text in UTF-8. */
function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    // A surrogate is half of a character of four bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
