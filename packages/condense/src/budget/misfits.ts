import type { Block, Conversation, JsonValue, Message } from "@longhaul/conversation";
import { bytesOf, formatBytes, type LocatedMedia, longestSideOf, type MediaLimits, mediaIn } from "../content/media.ts";
import { type Limits, limitOf } from "../contract/view.ts";
import { sum } from "../edits/lists.ts";

/** Something that is larger than the upstream takes. */
export interface Misfit {
  readonly what: "tokens" | "images" | "image-bytes" | "image-side" | "body-bytes";
  readonly size: number;
  readonly limit: number;
  /** Position of the message that holds it, where it is one thing. */
  readonly message?: number;
}

/** What is too large about this many tokens: nothing, or that. */
export function tokenMisfits(tokens: number, limits: Limits): Misfit[] {
  const limit = limitOf(limits);
  return tokens > limit ? [{ what: "tokens", size: tokens, limit }] : [];
}

/** What of a conversation is larger than media limits allow. */
export function mediaMisfits(conversation: Conversation, limits: MediaLimits): Misfit[] {
  const { maxImages: most = UNLIMITED, maxBodyBytes = UNLIMITED } = limits;
  const media = conversation.messages.flatMap(mediaIn);
  const images = media.filter(({ block }) => block.type === "image").length;
  const bytes = maxBodyBytes === UNLIMITED ? 0 : bodyBytes(conversation);
  return [
    ...media.flatMap((placed) => imageMisfit(placed, limits) ?? []),
    ...(images > most ? [{ what: "images", size: images, limit: most } as const] : []),
    ...(bytes > maxBodyBytes ? [{ what: "body-bytes", size: bytes, limit: maxBodyBytes } as const] : []),
  ];
}

const UNLIMITED = Number.POSITIVE_INFINITY;

/** What is too large about one image; nothing for documents. */
export function imageMisfit({ at, block }: LocatedMedia, limits: MediaLimits): Misfit | undefined {
  if (block.type !== "image") return undefined;
  const { maxImageBytes = UNLIMITED, maxImageSide = UNLIMITED } = limits;
  const { message } = at;
  const bytes = bytesOf(block);
  if (bytes > maxImageBytes) return { what: "image-bytes", size: bytes, limit: maxImageBytes, message };
  const side = maxImageSide === UNLIMITED ? 0 : longestSideOf(block);
  return side > maxImageSide ? { what: "image-side", size: side, limit: maxImageSide, message } : undefined;
}

/** Says what is too large and by how much. */
export function describeMisfit({ what, size, limit, message = -1 }: Misfit): string {
  switch (what) {
    case "tokens":
      return `the request has ${size} tokens, ${size - limit} more than fit`;
    case "images":
      return `the request has ${size} images; the model takes at most ${limit}`;
    case "image-bytes":
      return `message ${message + 1} has an image of ${formatBytes(size)}; the model takes at most ${formatBytes(limit)}`;
    case "image-side":
      return `message ${message + 1} has an image ${size} pixels long; the model takes at most ${limit}`;
    case "body-bytes":
      return `the request has ${formatBytes(size)}; the model takes at most ${formatBytes(limit)}`;
    default:
      return what satisfies never;
  }
}

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
