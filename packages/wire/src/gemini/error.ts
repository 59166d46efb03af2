import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LonghaulError,
  type Overflow,
  table,
} from "@longhaul/conversation/advanced";
import type { EncodedError } from "../codec/codec.ts";
import { clientMessage, fallbackMessage, upstreamError, withAdvice } from "../errors/upstream-error.ts";
import { defined, fieldOf, optionalString } from "../fields/json.ts";

const STATUSES: Readonly<Record<number, string>> = table({
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ABORTED",
  413: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  500: "INTERNAL",
  501: "UNIMPLEMENTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
});

/** Decodes an upstream's error. An error inside a stream has no status, so its code determines one. */
export function decodeError(status: number, body: unknown): LonghaulError {
  // A stream that was not requested as events is an array, even if it contains only an error.
  const first: unknown = Array.isArray(body) ? body[0] : body;
  const error = isJsonObject(first) ? first.error : undefined;
  const code = optionalString(fieldOf(error, "status"));
  const message = optionalString(fieldOf(error, "message")) ?? fallbackMessage(status, body);
  const known = status < 400 ? statusOf(fieldOf(error, "code"), code) : status;
  const retryAfterMs = retryDelayMs(fieldOf(error, "details"));
  return upstreamError({ status: known, message, cause: body, ...defined({ code, retryAfterMs }) });
}

function statusOf(code: JsonValue | undefined, name: string | undefined): number {
  if (typeof code === "number" && code >= 400 && code < 600) return code;
  const found = Object.entries(STATUSES).find(([, known]) => known === name);
  return found === undefined ? 500 : Number(found[0]);
}

const RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo";

/** Decodes the retry delay, which the API sends in seconds: `34.4s`. */
function retryDelayMs(details: JsonValue | undefined): number | undefined {
  if (details === undefined || !isJsonArray(details)) return undefined;
  const info = details.find((detail) => fieldOf(detail, "@type") === RETRY_INFO);
  const seconds = /^([\d.]+)s$/.exec(optionalString(fieldOf(info, "retryDelay")) ?? "")?.[1];
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 1_000);
}

export function encodeError(error: LonghaulError): EncodedError {
  return { status: error.status, body: encodeErrorBody(error) };
}

/** Encodes the body of an error, which is also sent in streams. */
export function encodeErrorBody(error: LonghaulError): JsonObject {
  const { status: code, overflow, retryAfterMs } = error;
  const status = STATUSES[code] ?? (code < 500 ? "INVALID_ARGUMENT" : "UNAVAILABLE");
  const message = overflow === undefined ? clientMessage(error) : withAdvice(overflowMessage(overflow), overflow);
  const wait = retryAfterMs === undefined ? undefined : { "@type": RETRY_INFO, retryDelay: `${retryAfterMs / 1_000}s` };
  return { error: { code, message, status, ...(wait && { details: [wait] }) } };
}

function overflowMessage({ actualTokens, limitTokens }: Overflow): string {
  const [actual, limit] = [actualTokens, limitTokens].map((tokens) => (tokens === undefined ? "" : ` (${tokens})`));
  return `The input token count${actual} exceeds the maximum number of tokens allowed${limit}.`;
}
