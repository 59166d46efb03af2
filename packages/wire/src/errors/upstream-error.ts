import { type ErrorCode, isJsonObject, LonghaulError, type Overflow } from "@longhaul/conversation";
import { defined } from "../fields/json.ts";
import { type Refusal, recognizeOverflow } from "./overflow.ts";

/** An upstream's refusal, read from its dialect. */
export interface UpstreamError extends Refusal {
  readonly status: number;
  readonly retryAfterMs?: number;
  /** The error as it came. */
  readonly cause: unknown;
}

/** One of our errors for an upstream's: its own words and status, and an overflow recognised. */
export function upstreamError(refusal: UpstreamError): LonghaulError {
  const { status, message, retryAfterMs, cause } = refusal;
  const overflow = recognizeOverflow(refusal);
  // Clients recognise a byte limit by its status, so a 413 stays one.
  const own = status === TOO_MANY_BYTES ? { status } : {};
  if (overflow !== undefined) return new LonghaulError("request.too-large", message, { overflow, cause, ...own });
  return new LonghaulError(codeOf(status), message, defined({ status, retryAfterMs, cause }));
}

const TOO_MANY_BYTES = 413;

function codeOf(status: number): ErrorCode {
  if (status === 429 || status === 503 || status === 529) return "upstream.busy";
  if (status === 408 || status === 504) return "upstream.timeout";
  return status >= 500 ? "upstream.broken" : "upstream.refused";
}

/**
 * Returns the message of a body that is not an error of the dialect: its text, AWS's `message`, or a sentence about its status. Pages of
 * proxies are for browsers and name what is behind them, so they are not quoted.
 */
export function fallbackMessage(status: number, body: unknown): string {
  const said = isJsonObject(body) ? body.message : body;
  const text = typeof said === "string" ? said.trim() : "";
  if (text === "") return `the upstream answered ${status} without saying why`;
  return MARKUP.test(text) ? `the upstream answered ${status} with a page instead of an error` : text.slice(0, 2_000);
}

const MARKUP = /^<|<(?:!doctype|html|head|body|title|h1|p|pre|center)\b/i;

/** A format's own words for a request that is too long, and after them what of it is. */
export function withAdvice(words: string, { advice }: Overflow): string {
  if (advice === undefined) return words;
  return words.endsWith(".") ? `${words} ${advice}` : `${words}. ${advice}`;
}

/** What a client may read: the details of our own bugs are not its business. */
export function clientMessage(error: LonghaulError): string {
  return error.code === "internal.bug" ? "Internal error; the operator's log has the details" : error.message;
}
