import type { Block, DocumentBlock, ImageBlock, Message } from "@longhaul/conversation";
import { imageSize, type Model } from "@longhaul/models/advanced";
import type { TextPosition } from "../edits/text-position.ts";

/** Limits of an upstream other than tokens; an absent field means no limit. */
export interface MediaLimits {
  readonly maxImages?: number;
  /** Size of one image as sent. */
  readonly maxImageBytes?: number;
  /** Longest side of an image, in pixels. */
  readonly maxImageSide?: number;
  /** Size of the whole request. */
  readonly maxBodyBytes?: number;
}

/** Returns the media limits of a model in the catalog. */
export function mediaLimitsOf({ images, maxRequestBytes }: Pick<Model, "images" | "maxRequestBytes">): MediaLimits {
  const { maxCount, maxBytes, maxSide } = images;
  return {
    ...(maxCount === undefined ? {} : { maxImages: maxCount }),
    ...(maxBytes === undefined ? {} : { maxImageBytes: maxBytes }),
    ...(maxSide === undefined ? {} : { maxImageSide: maxSide }),
    ...(maxRequestBytes === undefined ? {} : { maxBodyBytes: maxRequestBytes }),
  };
}

/** An image or a document with its position. */
export interface LocatedMedia {
  readonly at: TextPosition;
  readonly block: ImageBlock | DocumentBlock;
}

/** Returns the images and documents of a message, in reading order. Only media inside a tool result have a path. */
export function mediaIn(message: Message, index: number): LocatedMedia[] {
  return message.blocks.flatMap((block, position): LocatedMedia[] => {
    const at = { message: index, block: position, path: [] };
    if (isMedia(block)) return [{ at, block }];
    if (block.type !== "tool-result") return [];
    return block.content.flatMap((entry, inner) =>
      isMedia(entry) ? [{ at: { ...at, path: [inner] }, block: entry }] : [],
    );
  });
}

export function isMedia(block: Block): block is ImageBlock | DocumentBlock {
  return block.type === "image" || block.type === "document";
}

/** Size of an image or a document within a request. Vendors, including Anthropic, measure the base64 text, not the file. */
export function bytesOf({ source }: ImageBlock | DocumentBlock): number {
  if (source.kind === "base64") return source.data.length;
  return source.kind === "text" ? source.text.length : 0;
}

/** Returns the longest side of an image in pixels, or 0 if it is unknown. */
export function longestSideOf({ source }: ImageBlock): number {
  const size = source.kind === "base64" ? imageSize(source.data) : undefined;
  return size === undefined ? 0 : Math.max(size.width, size.height);
}

/** Returns the mark that replaces an image or a document. It names the type and size, not the content. */
export function mediaMark({ block }: Pick<LocatedMedia, "block">): string {
  const { source } = block;
  const mediaType = source.kind === "text" ? "text/plain" : source.mediaType;
  const bytes = bytesOf(block);
  const details = [mediaType, bytes === 0 ? undefined : formatBytes(bytes)].filter((detail) => detail !== undefined);
  return `[${block.type} left out${details.length === 0 ? "" : `: ${details.join(", ")}`}]`;
}

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

/** Formats `1234567` as `1.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes >= MEGABYTE) return `${(bytes / MEGABYTE).toFixed(1)} MB`;
  return bytes >= KILOBYTE ? `${Math.round(bytes / KILOBYTE)} KB` : `${bytes} bytes`;
}
