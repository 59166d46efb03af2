import type { MediaSource } from "@longhaul/conversation";
import { decodeBase64 } from "../base64.ts";

/** Where nothing is known of a document but its address. */
const UNKNOWN_PAGES = 10;
/** What a page of a PDF usually takes. */
const BYTES_PER_PAGE = 40 * 1024;
/** Less than any page takes: a count that says otherwise is not one of pages. */
const MIN_BYTES_PER_PAGE = 16;
/** In a larger file looking for the number of pages would take longer than the guess is worth. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

/** How many pages a PDF has: as its page tree says where that is readable, else by its size. */
export function documentPages(source: MediaSource): number {
  if (source.kind !== "base64") return UNKNOWN_PAGES;
  const bytes = base64Bytes(source.data);
  const counted = bytes <= MAX_READ_BYTES ? pageCount(decodeBase64(source.data)) : 0;
  const isPlausible = counted > 0 && counted * MIN_BYTES_PER_PAGE <= bytes;
  return isPlausible ? counted : Math.max(1, Math.ceil(bytes / BYTES_PER_PAGE));
}

/** How many bytes base64 stands for. */
export function base64Bytes(data: string): number {
  return Math.floor((data.length * 3) / 4);
}

const COUNT_KEY = [..."/Count"].map((character) => character.charCodeAt(0));
const DIGIT_ZERO = 0x30;

/** The largest `/Count` of a PDF: that of the root of its page tree. 0 where the tree is compressed. */
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
