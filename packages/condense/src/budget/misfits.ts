import type { Block, Conversation, JsonValue, Message } from "@longhaul/conversation";
import { formatCount } from "@longhaul/models/format";
import { bytesOf, formatBytes, type LocatedMedia, longestSideOf, type MediaLimits, mediaIn } from "../content/media.ts";
import { type Limits, limitOf } from "../contract/view.ts";
import { sum } from "../edits/lists.ts";
import { withoutNative } from "../edits/text-position.ts";

/** Something that exceeds a limit of the upstream. */
export interface Misfit {
  readonly what: "tokens" | "images" | "image-bytes" | "image-side" | "body-bytes";
  readonly size: number;
  readonly limit: number;
  /** Index of the message, if a single part of it is too large. */
  readonly message?: number;
}

/** Checks a token count against the limits. */
export function tokenMisfits(tokens: number, limits: Limits): Misfit[] {
  const limit = limitOf(limits);
  return tokens > limit ? [{ what: "tokens", size: tokens, limit }] : [];
}

/** Checks the media of a conversation against the limits. */
export function mediaMisfits(conversation: Conversation, limits: MediaLimits): Misfit[] {
  const { maxImages = UNLIMITED, maxBodyBytes = UNLIMITED } = limits;
  const media = conversation.messages.flatMap(mediaIn);
  const images = media.filter(({ block }) => block.type === "image").length;
  const bytes = maxBodyBytes === UNLIMITED ? 0 : bodyBytes(conversation);
  return [
    ...media.flatMap((entry) => imageMisfit(entry, limits) ?? []),
    ...(images > maxImages ? [{ what: "images", size: images, limit: maxImages } as const] : []),
    ...(bytes > maxBodyBytes ? [{ what: "body-bytes", size: bytes, limit: maxBodyBytes } as const] : []),
  ];
}

const UNLIMITED = Number.POSITIVE_INFINITY;

/** Checks one image against the limits; documents have none. */
export function imageMisfit({ at, block }: LocatedMedia, limits: MediaLimits): Misfit | undefined {
  if (block.type !== "image") return undefined;
  const { maxImageBytes = UNLIMITED, maxImageSide = UNLIMITED } = limits;
  const { message } = at;
  const bytes = bytesOf(block);
  if (bytes > maxImageBytes) return { what: "image-bytes", size: bytes, limit: maxImageBytes, message };
  const side = maxImageSide === UNLIMITED ? 0 : longestSideOf(block);
  return side > maxImageSide ? { what: "image-side", size: side, limit: maxImageSide, message } : undefined;
}

/** Describes a misfit with its size and limit. */
export function describeMisfit({ what, size, limit, message = -1 }: Misfit): string {
  switch (what) {
    case "tokens": {
      const most = Math.max(0, limit);
      return `the request has ${formatCount(size)} tokens, ${formatCount(size - most)} over the limit of ${formatCount(most)}`;
    }
    case "images":
      return `the request has ${size} images; the model accepts at most ${limit}`;
    case "image-bytes":
      return `message ${message + 1} has an image of ${formatBytes(size)}; the model accepts at most ${formatBytes(limit)}`;
    case "image-side":
      return `message ${message + 1} has an image with a side of ${size} pixels; the model accepts at most ${limit} pixels`;
    case "body-bytes":
      return `the request has ${formatBytes(size)}; the model accepts at most ${formatBytes(limit)}`;
    default:
      return what satisfies never;
  }
}

/** Approximate size of a block's keys, braces and quotes. */
const BLOCK_BYTES = 60;

/** Approximate size of a conversation as JSON, in any wire format. */
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

function jsonBytes(value: JsonValue | readonly object[]): number {
  return utf8Bytes(JSON.stringify(value));
}

/** Size of a text as a JSON string, including escapes. */
function textBytes(text: string): number {
  return utf8Bytes(JSON.stringify(text));
}

function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    // Each half of a surrogate pair counts for two of its four bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
