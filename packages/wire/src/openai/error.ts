import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LonghaulError,
  table,
} from "@longhaul/conversation/advanced";
import { clientMessage, fallbackMessage, upstreamError } from "../errors/upstream-error.ts";
import { defined, fieldOf, optionalString } from "../fields/json.ts";

// Error handling that OpenAI's two formats share.

interface Kind {
  readonly type: string;
  readonly code: string | null;
}

const REFUSED: Kind = { type: "invalid_request_error", code: null };
const FAILED: Kind = { type: "server_error", code: "server_error" };

const KINDS: Readonly<Record<number, Kind>> = table({
  400: REFUSED,
  401: { type: "invalid_request_error", code: "invalid_api_key" },
  402: { type: "insufficient_quota", code: "insufficient_quota" },
  403: { type: "permission_error", code: "permission_denied" },
  404: { type: "invalid_request_error", code: "model_not_found" },
  413: { type: "invalid_request_error", code: "request_too_large" },
  429: { type: "rate_limit_error", code: "rate_limit_exceeded" },
  500: FAILED,
  503: { type: "server_error", code: "overloaded" },
  504: { type: "server_error", code: "timeout" },
});

/** Decodes an error. An error inside a stream or a 200 has no status, so its code determines one. */
export function decodeOpenAiError(status: number, body: unknown): LonghaulError {
  const error = errorIn(body);
  const code = codeOf(error);
  const message = optionalString(fieldOf(error, "message")) ?? optionalString(error) ?? fallbackMessage(status, body);
  const effective =
    status < 400 ? (statusOfCode(code) ?? statusOfCode(optionalString(fieldOf(error, "type"))) ?? 500) : status;
  return upstreamError({ status: effective, message, cause: body, ...defined({ code }) });
}

/** Returns the error in a body. Google's chat endpoint wraps it in an array. */
function errorIn(body: unknown): JsonValue | undefined {
  const only: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
  return isJsonObject(only) ? (only.error ?? only) : undefined;
}

/** Prefers OpenRouter's own type, because its code is only the status. */
function codeOf(error: JsonValue | undefined): string | undefined {
  const type = optionalString(fieldOf(fieldOf(error, "metadata"), "error_type"));
  const code = fieldOf(error, "code");
  return (
    type ?? (typeof code === "number" ? `${code}` : optionalString(code)) ?? optionalString(fieldOf(error, "type"))
  );
}

function statusOfCode(code: string | undefined): number | undefined {
  // OpenAI sends this code with status 429; a stream has no status.
  if (code === "insufficient_quota") return 429;
  const number = Number(code);
  if (number >= 400 && number < 600) return number;
  const found = Object.entries(KINDS).find(([, kind]) => kind.code === code);
  const byType = Object.entries(KINDS).find(([, kind]) => kind.type === code);
  const status = (found ?? byType)?.[0];
  return status === undefined ? undefined : Number(status);
}

/** Returns the status for the client. OpenAI's formats have no 529. */
export function openAiStatus({ status }: LonghaulError): number {
  return status === 529 ? 503 : status;
}

/** Encodes an error. `overflow` is the format's error for a request that is too long. */
export function encodeOpenAiError(
  error: LonghaulError,
  overflow: { message: string; param: string } | undefined,
): JsonObject {
  if (overflow !== undefined) {
    return { ...overflow, type: "invalid_request_error", code: "context_length_exceeded" };
  }
  const { type, code } = kindOf(error);
  return { message: clientMessage(error), type, param: error.param ?? null, code };
}

function kindOf(error: LonghaulError): Kind {
  // On this code, clients resend their whole history.
  if (error.code === "request.not-kept") {
    return error.param === "previous_response_id" ? { ...REFUSED, code: "previous_response_not_found" } : REFUSED;
  }
  // A path that does not exist is not a missing model.
  if (error.code === "route.unknown" && error.param !== "model") return REFUSED;
  const status = openAiStatus(error);
  return KINDS[status] ?? (status < 500 ? REFUSED : FAILED);
}
