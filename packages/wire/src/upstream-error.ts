import { type ErrorCode, isJsonObject, LonghaulError, type Overflow } from "@longhaul/conversation";
import { given } from "./given.ts";
import { type Refusal, recogniseOverflow } from "./overflow.ts";

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
  const overflow = recogniseOverflow(refusal);
  if (overflow !== undefined) return new LonghaulError("request.too-large", message, { overflow, cause });
  return new LonghaulError(codeOf(status), message, given({ status, retryAfterMs, cause }));
}

function codeOf(status: number): ErrorCode {
  if (status === 429 || status === 503 || status === 529) return "upstream.busy";
  if (status === 408 || status === 504) return "upstream.timeout";
  return status >= 500 ? "upstream.broken" : "upstream.refused";
}

/** What a body that is no error of the dialect says: its text, AWS's `message`, or only its status. */
export function plainMessage(status: number, body: unknown): string {
  const said = isJsonObject(body) ? body.message : body;
  const text = typeof said === "string" ? said.trim() : "";
  return text === "" ? `the upstream answered ${status} without saying why` : text.slice(0, 2_000);
}

/** A format's own words for a request that is too long, and after them what of it is. */
export function withAdvice(words: string, { advice }: Overflow): string {
  if (advice === undefined) return words;
  return words.endsWith(".") ? `${words} ${advice}` : `${words}. ${advice}`;
}

/** What a client may read: the details of our own bugs are not its business. */
export function clientMessage(error: LonghaulError): string {
  return error.code === "internal.bug" ? "Internal error; the operator's log has the details" : error.message;
}
