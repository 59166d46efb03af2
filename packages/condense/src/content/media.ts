import type { Block, DocumentBlock, ImageBlock, Message } from "@longhaul/conversation";
import { imageSize, type Model } from "@longhaul/models";
import type { TextPosition } from "../edits/text-position.ts";

/** What an upstream takes in one request besides tokens; what is absent has no limit. */
export interface MediaLimits {
  /** The most images. */
  readonly maxImages?: number;
  /** The most bytes of one image, as it is sent. */
  readonly maxImageBytes?: number;
  /** The longest side of an image, in pixels. */
  readonly maxImageSide?: number;
  /** The most bytes of the whole request. */
  readonly maxBodyBytes?: number;
}

/** What the catalog says that a model takes. */
export function mediaLimitsOf({ images, maxRequestBytes }: Pick<Model, "images" | "maxRequestBytes">): MediaLimits {
  const { maxCount, maxBytes, maxSide } = images;
  return {
    ...(maxCount === undefined ? {} : { maxImages: maxCount }),
    ...(maxBytes === undefined ? {} : { maxImageBytes: maxBytes }),
    ...(maxSide === undefined ? {} : { maxImageSide: maxSide }),
    ...(maxRequestBytes === undefined ? {} : { maxBodyBytes: maxRequestBytes }),
  };
}

/** A picture or a document and where it stands. */
export interface LocatedMedia {
  readonly at: TextPosition;
  readonly block: ImageBlock | DocumentBlock;
}

/** The pictures and documents of a message, in reading order. A path tells what stands in a tool's result from what the user showed. */
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

/** Whether a block is a picture or a document. */
export function isMedia(block: Block): block is ImageBlock | DocumentBlock {
  return block.type === "image" || block.type === "document";
}

/** The bytes that a picture or a document takes in a request. Anthropic too measures an image by its base64, not by its file. */
export function bytesOf({ source }: ImageBlock | DocumentBlock): number {
  if (source.kind === "base64") return source.data.length;
  return source.kind === "text" ? source.text.length : 0;
}

/** The longest side of an image in pixels; 0 where it is not known. */
export function longestSideOf({ source }: ImageBlock): number {
  const size = source.kind === "base64" ? imageSize(source.data) : undefined;
  return size === undefined ? 0 : Math.max(size.width, size.height);
}

/** Stands where a picture or a document was: says what it was, and nothing of what was in it. */
export function removedNote({ at, block }: LocatedMedia): string {
  const { source } = block;
  const mediaType = source.kind === "text" ? "text/plain" : source.mediaType;
  const bytes = bytesOf(block);
  const details = [mediaType, bytes === 0 ? undefined : spellBytes(bytes), `message #${at.message + 1}`];
  return `⟨ ${block.type} removed to fit: ${details.filter((detail) => detail !== undefined).join(", ")} ⟩`;
}

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

/** `1234567` as `1.2 MB`. */
export function spellBytes(bytes: number): string {
  if (bytes >= MEGABYTE) return `${(bytes / MEGABYTE).toFixed(1)} MB`;
  return bytes >= KILOBYTE ? `${Math.round(bytes / KILOBYTE)} KB` : `${bytes} bytes`;
}
