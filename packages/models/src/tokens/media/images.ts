import type { ImageBlock } from "@longhaul/conversation";
import { decodeBase64 } from "../base64.ts";

/** Size of an image in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Enough for the headers of PNG, GIF and WebP. */
const HEADER_BYTES = 32;
/** A JPEG's size may follow a preview and a color profile. */
const MAX_JPEG_HEADER_BYTES = 256 * 1024;

/**
 * Returns the size of a base64-encoded PNG, JPEG, GIF or WebP, detected by its first bytes and not by its media type; undefined if they do
 * not reveal it.
 */
export function imageSize(data: string): PixelSize | undefined {
  const header = viewOf(decodeBase64(data, HEADER_BYTES));
  if (header.byteLength < HEADER_BYTES) return undefined;
  const size = pngSize(header) ?? gifSize(header) ?? webpSize(header) ?? jpegSize(header, data);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function hasAscii(view: DataView, at: number, text: string): boolean {
  return [...text].every((character, index) => view.getUint8(at + index) === character.charCodeAt(0));
}

function pngSize(header: DataView): PixelSize | undefined {
  if (!hasAscii(header, 1, "PNG")) return undefined;
  return { width: header.getUint32(16), height: header.getUint32(20) };
}

function gifSize(header: DataView): PixelSize | undefined {
  if (!hasAscii(header, 0, "GIF8")) return undefined;
  return { width: header.getUint16(6, true), height: header.getUint16(8, true) };
}

function webpSize(header: DataView): PixelSize | undefined {
  if (!hasAscii(header, 8, "WEBP")) return undefined;
  if (hasAscii(header, 12, "VP8X")) return { width: uint24(header, 24) + 1, height: uint24(header, 27) + 1 };
  if (hasAscii(header, 12, "VP8L")) {
    const bits = header.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return { width: header.getUint16(26, true) & 0x3fff, height: header.getUint16(28, true) & 0x3fff };
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

const JPEG_START = 0xffd8;

function jpegSize(header: DataView, data: string): PixelSize | undefined {
  if (header.getUint16(0) !== JPEG_START) return undefined;
  const view = viewOf(decodeBase64(data, MAX_JPEG_HEADER_BYTES));
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    if (isFrame(view.getUint8(at + 1))) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** SOF0 to SOF15, except for three markers with another meaning. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Tokens of an image; if its size is unknown, the maximum that one usually costs. */
export type ImageRule = (size: PixelSize | undefined, detail: ImageBlock["detail"]) => number;

const CLAUDE_PATCH = 28;

/** Claude: one token per patch of 28 by 28 pixels, after scaling down (platform.claude.com vision). */
function claudeTokens(size: PixelSize | undefined, longestSide: number, mostTokens: number): number {
  return size === undefined ? mostTokens : Math.min(mostTokens, patches(fitSide(size, longestSide), CLAUDE_PATCH));
}

/** Up to Claude 4.6. */
export const claudeImage: ImageRule = (size) => claudeTokens(size, 1568, 1568);

/** Since Claude 4.7. */
export const claudeLargeImage: ImageRule = (size) => claudeTokens(size, 2576, 4784);

const TILE = { base: 85, each: 170, side: 512, longest: 2048, shortest: 768, unknown: 1445 };

/** GPT-4o and contemporaries: tiles of 512 pixels, after fitting into 2048 and scaling the shorter side to 768. */
export const openaiTiles: ImageRule = (size, detail) => {
  if (detail === "low") return TILE.base;
  if (size === undefined) return TILE.unknown;
  const fitted = fitSide(size, TILE.longest);
  const scaled = scale(fitted, Math.min(1, TILE.shortest / Math.min(fitted.width, fitted.height)));
  return TILE.base + TILE.each * patches(scaled, TILE.side);
};

const PATCH = { side: 32, factor: 1.2, lowSide: 512, mostHigh: 2_500, most: 10_000, unknown: 3_000 };

/** GPT-5.2 and later: 1.2 tokens per patch of 32 pixels. `auto` keeps the original size. */
const openaiPatches: ImageRule = (size, detail) => {
  if (size === undefined) return PATCH.unknown;
  const fitted = detail === "low" ? fitSide(size, PATCH.lowSide) : size;
  const most = detail === "high" ? PATCH.mostHigh : PATCH.most;
  return Math.ceil(PATCH.factor * Math.min(most, patches(fitted, PATCH.side)));
};

const GEMINI_TILE = { tokens: 258, side: 768 };
const GEMINI_FLAT = 1_120;

/** Gemini 3 and later use 1,120 tokens for any image, earlier ones 258 per tile of 768 pixels. */
const geminiFlat: ImageRule = () => GEMINI_FLAT;
const geminiTiles: ImageRule = (size) =>
  GEMINI_TILE.tokens * (size === undefined ? 1 : patches(size, GEMINI_TILE.side));

// Models of a family differ. The larger count is used: an overestimate wastes room, an underestimate overflows.

/** GPT-4o and later. */
export const openaiImage: ImageRule = (size, detail) =>
  Math.max(openaiTiles(size, detail), openaiPatches(size, detail));

/** All Gemini models. */
export const geminiImage: ImageRule = (size, detail) => Math.max(geminiFlat(size, detail), geminiTiles(size, detail));

function fitSide(size: PixelSize, longest: number): PixelSize {
  return scale(size, Math.min(1, longest / Math.max(size.width, size.height)));
}

function scale({ width, height }: PixelSize, factor: number): PixelSize {
  return { width: width * factor, height: height * factor };
}

function patches({ width, height }: PixelSize, side: number): number {
  return Math.ceil(width / side) * Math.ceil(height / side);
}
