import { decodeBase64 } from "../base64.ts";

/** Width and height of a picture. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Enough for the headers of PNG, GIF and WebP. */
const HEADER_BYTES = 32;
/** A JPEG's size may stand behind a preview and a colour profile. */
const MAX_JPEG_HEADER_BYTES = 256 * 1024;

/** The size of a PNG, JPEG, GIF or WebP in base64, told by its first bytes and not by its media type; undefined where they don't say. */
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

/** SOF0 to SOF15, but for the three numbers among them that mean something else. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
