import { isJsonObject, type JsonObject, type LonghaulError, type Overflow } from "@longhaul/conversation";
import type { EncodedError } from "../codec.ts";
import { given } from "../given.ts";
import { fieldOf, optionalString } from "../read.ts";
import { clientMessage, plainMessage, upstreamError } from "../upstream-error.ts";

interface Kind {
  readonly type: string;
  readonly code: string | null;
}

const KINDS: Readonly<Record<number, Kind>> = {
  400: { type: "invalid_request_error", code: null },
  401: { type: "invalid_request_error", code: "invalid_api_key" },
  402: { type: "insufficient_quota", code: "insufficient_quota" },
  403: { type: "permission_error", code: "permission_denied" },
  404: { type: "invalid_request_error", code: "model_not_found" },
  413: { type: "invalid_request_error", code: "request_too_large" },
  429: { type: "rate_limit_error", code: "rate_limit_exceeded" },
  500: { type: "server_error", code: "internal_error" },
  503: { type: "server_error", code: "overloaded" },
  504: { type: "server_error", code: "timeout" },
};

/** Reads an upstream's error. One that came inside a stream or a 200 has no status of its own: its code stands for one. */
export function decodeError(status: number, body: unknown): LonghaulError {
  const error = isJsonObject(body) ? (body.error ?? body) : undefined;
  const code = codeOf(error);
  const message = optionalString(fieldOf(error, "message")) ?? optionalString(error) ?? plainMessage(status, body);
  // Cerebras refuses what is too long without a word.
  const isMute = (status === 400 || status === 413) && (body === undefined || body === "");
  const said = status < 400 ? statusOfCode(code) : status;
  const known = isMute ? "context_length_exceeded" : code;
  return upstreamError({ status: said, message, cause: body, ...given({ code: known }) });
}

/** OpenRouter's own type says more than the code, which there is the status. */
function codeOf(error: JsonObject[string] | undefined): string | undefined {
  const type = optionalString(fieldOf(fieldOf(error, "metadata"), "error_type"));
  const code = fieldOf(error, "code");
  return (
    type ?? (typeof code === "number" ? `${code}` : optionalString(code)) ?? optionalString(fieldOf(error, "type"))
  );
}

function statusOfCode(code: string | undefined): number {
  const number = Number(code);
  if (number >= 400 && number < 600) return number;
  const found = Object.entries(KINDS).find(([, kind]) => kind.code === code || kind.type === code);
  return found === undefined ? 500 : Number(found[0]);
}

/** Writes an error in the words that clients act upon. */
export function encodeError(error: LonghaulError): EncodedError {
  return { status: statusFor(error), body: encodeErrorBody(error) };
}

/** The format has no 529. */
function statusFor({ status }: LonghaulError): number {
  return status === 529 ? 503 : status;
}

/** The body of an error, which is also what a stream says of one. */
export function encodeErrorBody(error: LonghaulError): JsonObject {
  if (error.overflow !== undefined) {
    const message = wordOverflow(error.overflow);
    return { error: { message, type: "invalid_request_error", param: "messages", code: "context_length_exceeded" } };
  }
  const status = statusFor(error);
  const kind = KINDS[status] ?? KINDS[status < 500 ? 400 : 500];
  return {
    error: { message: clientMessage(error), type: kind?.type ?? "server_error", param: null, code: kind?.code ?? null },
  };
}

function wordOverflow({ actualTokens, limitTokens }: Overflow): string {
  if (limitTokens === undefined) return "Your input exceeds the context window of this model.";
  const limit = `This model's maximum context length is ${limitTokens} tokens.`;
  const actual = actualTokens === undefined ? "" : ` However, your messages resulted in ${actualTokens} tokens.`;
  return `${limit}${actual} Please reduce the length of the messages.`;
}
