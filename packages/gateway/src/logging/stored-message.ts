import type { LonghaulError } from "@longhaul/conversation";
import { cleanName, redactLookalikes } from "@longhaul/fit";
import { asBuffer, messageForOperators } from "@longhaul/upstream";
import { type Redact, redactAlso } from "./redact.ts";

/** The request that an error is about. */
interface Quotable {
  readonly headers: Readonly<Record<string, string>>;
  /** @default not read yet */
  readonly body?: Uint8Array;
}

/** Longer messages quote a page or a request. */
const MAX_CHARS = 500;

/**
 * Returns the message of an error for the request log: without credentials and addresses' passwords. Empty if it is long or may repeat
 * a part of the request: upstreams may quote what they received, and message content is not stored.
 */
export function storedMessage(error: LonghaulError, request: Quotable, redact: Redact): string {
  const message = redactLookalikes(redactAlso(redact, request.headers)(messageForOperators(error)));
  if (message.length > MAX_CHARS || mayQuote(message, request)) return "";
  return cleanName(message, MAX_CHARS);
}

/** Repeated words are shorter than this, unless they are a quote. */
const QUOTE_BYTES = 20;
/** Parts of the body are compared at multiples of this. */
const STEP_BYTES = 10;
/** A shorter header value, such as a content type, may be part of any sentence. */
const MIN_HEADER_CHARS = 12;
/** Searching more would delay other requests for over 10 ms. The message is then not stored. */
const MAX_SEARCHED_BYTES = 32 * 1024 * 1024;
const MAX_COMPARISONS = 10_000;

/** Whether a message may repeat a header, or a run of `QUOTE_BYTES + STEP_BYTES` bytes of the body. */
function mayQuote(message: string, { headers, body = new Uint8Array() }: Quotable): boolean {
  if (Object.values(headers).some((value) => value.length >= MIN_HEADER_CHARS && message.includes(value))) return true;
  return body.length > MAX_SEARCHED_BYTES || repeatsPartOf(Buffer.from(message), asBuffer(body));
}

/** Whether a text repeats a part of the body. A table of the text's runs of four bytes rules out nearly all parts that it does not repeat. */
function repeatsPartOf(text: Buffer, body: Buffer): boolean {
  if (text.length < QUOTE_BYTES) return false;
  const isInText = new Uint8Array(0x10000);
  for (let at = 0; at + 4 <= text.length; at++) isInText[hashAt(text, at)] = 1;
  let comparisons = 0;
  for (let at = 0; at + QUOTE_BYTES <= body.length; at += STEP_BYTES) {
    const isCandidate =
      isInText[hashAt(body, at)] === 1 && isInText[hashAt(body, at + 8)] === 1 && isInText[hashAt(body, at + 16)] === 1;
    if (!isCandidate) continue;
    if (++comparisons > MAX_COMPARISONS || text.includes(body.subarray(at, at + QUOTE_BYTES))) return true;
  }
  return false;
}

/** Returns 16 bits that depend on four bytes. */
function hashAt(bytes: Buffer, at: number): number {
  const four =
    (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
  return Math.imul(four, HASH_FACTOR) >>> 16;
}

/** An odd number near 2^32 divided by the golden ratio spreads neighboring values. */
const HASH_FACTOR = 0x9e3779b1;
