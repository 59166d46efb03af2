import type { Dialect } from "../core/api.ts";
import type { Rejection } from "../core/rejection.ts";

const TYPES: Readonly<Record<number, string>> = {
  429: "rate_limit_error",
  500: "server_error",
  503: "service_unavailable_error",
};
const CODES: Readonly<Record<number, string>> = { 429: "rate_limit_exceeded" };

/** Errors as OpenAI words them in plain answers and in chat streams. */
export const openaiDialect: Dialect = {
  error: (rejection, requestId) => ({
    kind: "json",
    status: rejection.status,
    headers: { "x-request-id": requestId, ...rejection.details.headers },
    body: { error: openaiError(rejection) },
  }),
  streamError: (rejection) => [{ data: JSON.stringify({ error: openaiError(rejection) }) }, { data: "[DONE]" }],
};

/** The inner object of an error. */
export function openaiError({ status, message, details }: Rejection) {
  return {
    message,
    type: details.type ?? TYPES[status] ?? (status < 500 ? "invalid_request_error" : "server_error"),
    param: details.param ?? null,
    code: details.code ?? CODES[status] ?? null,
  };
}
