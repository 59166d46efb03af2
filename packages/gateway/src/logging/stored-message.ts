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
const QUOTE_CHARS = 20;
/** A shorter header value, such as a content type, may be part of any sentence. */
const MIN_HEADER_CHARS = 12;

/** Searching more would delay other requests for over 15 ms. The message is then not stored. */
const MAX_SEARCHED_BYTES = 32 * 1024 * 1024;

/** Whether a message may repeat a header, or a run of about twice `QUOTE_CHARS` of the body. */
function mayQuote(message: string, { headers, body = new Uint8Array() }: Quotable): boolean {
  if (Object.values(headers).some((value) => value.length >= MIN_HEADER_CHARS && message.includes(value))) return true;
  if ((body.length * message.length) / QUOTE_CHARS > MAX_SEARCHED_BYTES) return true;
  const bytes = asBuffer(body);
  for (let at = 0; at + QUOTE_CHARS <= message.length; at += QUOTE_CHARS) {
    if (bytes.includes(message.slice(at, at + QUOTE_CHARS))) return true;
  }
  return false;
}
