import type { MediaSource } from "@longhaul/conversation";
import { decodeBase64 } from "../base64.ts";

/** Assumed for a document if only its URL is known. */
const UNKNOWN_PAGES = 10;
/** Typical size of a PDF page. */
const BYTES_PER_PAGE = 40 * 1024;
/** Less than any page: a page count that implies less is wrong. */
const MIN_BYTES_PER_PAGE = 16;
/** In a larger file, searching for the page count takes too long. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

/** Returns the number of pages of a PDF: from its page tree if it is readable, otherwise by its size. */
export function documentPages(source: MediaSource): number {
  if (source.kind !== "base64") return UNKNOWN_PAGES;
  const bytes = base64Bytes(source.data);
  const counted = bytes <= MAX_READ_BYTES ? pageCount(decodeBase64(source.data)) : 0;
  const isPlausible = counted > 0 && counted * MIN_BYTES_PER_PAGE <= bytes;
  return isPlausible ? counted : Math.max(1, Math.ceil(bytes / BYTES_PER_PAGE));
}

/** Returns the number of bytes that base64 encodes. */
export function base64Bytes(data: string): number {
  return Math.floor((data.length * 3) / 4);
}

const COUNT_KEY = [..."/Count"].map((character) => character.charCodeAt(0));
const DIGIT_ZERO = 0x30;

/** Returns the largest `/Count` of a PDF, that of the root of its page tree; 0 if the tree is compressed. */
function pageCount(bytes: Uint8Array): number {
  let largest = 0;
  let at = bytes.indexOf(0x2f);
  while (at !== -1) {
    if (COUNT_KEY.every((byte, index) => bytes[at + index] === byte)) {
      largest = Math.max(largest, numberAt(bytes, at + COUNT_KEY.length));
    }
    at = bytes.indexOf(0x2f, at + 1);
  }
  return largest;
}

function numberAt(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20) at++;
  let number = 0;
  for (; ; at++) {
    const digit = (bytes[at] ?? 0) - DIGIT_ZERO;
    if (digit < 0 || digit > 9) return number;
    number = number * 10 + digit;
  }
}
