import type { Conversation } from "@longhaul/conversation";
import { bytesOf, longestSideOf, type MediaLimits, mediaIn, type PlacedMedia, spellBytes } from "../content/media.ts";
import { type Limits, limitOf } from "../contract/view.ts";
import { bodyBytes } from "./body-bytes.ts";

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
export function imageMisfit({ at, block }: PlacedMedia, limits: MediaLimits): Misfit | undefined {
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
      return `message ${message + 1} has an image of ${spellBytes(size)}; the model takes at most ${spellBytes(limit)}`;
    case "image-side":
      return `message ${message + 1} has an image ${size} pixels long; the model takes at most ${limit}`;
    case "body-bytes":
      return `the request has ${spellBytes(size)}; the model takes at most ${spellBytes(limit)}`;
    default:
      return what satisfies never;
  }
}
