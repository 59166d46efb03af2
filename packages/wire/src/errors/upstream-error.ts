import { type ErrorCode, isJsonObject, LonghaulError, type Overflow } from "@longhaul/conversation/advanced";
import { defined } from "../fields/json.ts";
import { type Refusal, recognizeOverflow } from "./overflow.ts";

/** An upstream's error, decoded from its format. */
export interface UpstreamError extends Refusal {
  readonly status: number;
  readonly retryAfterMs?: number;
  /** The original error body. */
  readonly cause: unknown;
}

/** Converts an upstream's error: keeps its message and status, and recognizes context overflows. */
export function upstreamError(refusal: UpstreamError): LonghaulError {
  const { status, message, retryAfterMs, cause } = refusal;
  const overflow = recognizeOverflow(refusal);
  // Clients recognize a byte limit by its status, so a 413 stays a 413.
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
 * Returns the message for a body that is not an error in the format: its text, AWS's `message`, or a sentence about the status. HTML pages
 * of proxies are not quoted, because they may name internal hosts.
 */
export function fallbackMessage(status: number, body: unknown): string {
  const value = isJsonObject(body) ? body.message : body;
  const text = typeof value === "string" ? value.trim() : "";
  if (text === "") return `the upstream returned status ${status} without an error message`;
  return MARKUP.test(text) ? `the upstream returned status ${status} with an HTML page` : text.slice(0, 2_000);
}

const MARKUP = /^<|<(?:!doctype|html|head|body|title|h1|p|pre|center)\b/i;

/** Appends the overflow's advice to a format's message for a request that is too long. */
export function withAdvice(message: string, { advice }: Overflow): string {
  if (advice === undefined) return message;
  return message.endsWith(".") ? `${message} ${advice}` : `${message}. ${advice}`;
}

/** Returns the message for the client. Details of internal errors stay in the log. */
export function clientMessage(error: LonghaulError): string {
  return error.code === "internal.bug" ? "Internal error. See the gateway's log for details." : error.message;
}
