import {
  isJsonObject,
  type JsonObject,
  type LonghaulError,
  type Overflow,
  table,
} from "@longhaul/conversation/advanced";
import type { EncodedError } from "../codec/codec.ts";
import { clientMessage, fallbackMessage, upstreamError, withAdvice } from "../errors/upstream-error.ts";
import { defined, fieldOf, optionalString } from "../fields/json.ts";

const TYPES: Readonly<Record<number, string>> = table({
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  409: "conflict_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  503: "overloaded_error",
  504: "timeout_error",
  529: "overloaded_error",
});

/** Decodes an upstream's error. An error inside a stream has no status, so its type determines one. */
export function decodeError(status: number, body: unknown): LonghaulError {
  const error = isJsonObject(body) ? body.error : undefined;
  const type = optionalString(fieldOf(error, "type"));
  const message = optionalString(fieldOf(error, "message")) ?? fallbackMessage(status, body);
  const effective = status < 400 ? statusOfType(type) : status;
  return upstreamError({ status: effective, message, cause: body, ...defined({ code: type }) });
}

function statusOfType(type: string | undefined): number {
  if (type === "overloaded_error") return 529;
  const found = Object.entries(TYPES).find(([, known]) => known === type);
  return found === undefined ? 500 : Number(found[0]);
}

export function encodeError(error: LonghaulError): EncodedError {
  return { status: error.status, body: encodeErrorBody(error) };
}

/** Encodes the body of an error, which is also the data of an `error` event. */
export function encodeErrorBody(error: LonghaulError): JsonObject {
  const type = TYPES[error.status] ?? (error.status < 500 ? "invalid_request_error" : "api_error");
  const message =
    error.overflow === undefined ? clientMessage(error) : withAdvice(overflowMessage(error.overflow), error.overflow);
  return { type: "error", error: { type, message, ...defined({ details: detailsOf(error) }) } };
}

/** Returns the code that makes Anthropic's SDK drop the thread and send the whole history. */
function detailsOf({ code, param }: LonghaulError): JsonObject | undefined {
  const isThread = code === "request.unsupported" && param === "thread";
  return isThread ? { error_code: "thread_unsupported_request", unsupported: ["model"] } : undefined;
}

// Claude Code matches exactly these messages to compact or to lower max_tokens (docs/wire/anthropic-messages.md#errors).
function overflowMessage({ actualTokens, limitTokens, outputTokens }: Overflow): string {
  if (actualTokens === undefined || limitTokens === undefined) return "prompt is too long";
  if (actualTokens > limitTokens || outputTokens === undefined) {
    return `prompt is too long: ${actualTokens} tokens > ${limitTokens} maximum`;
  }
  const sum = `${actualTokens} + ${outputTokens} > ${limitTokens}`;
  return `input length and \`max_tokens\` exceed context limit: ${sum}, decrease input length or \`max_tokens\` and try again`;
}
