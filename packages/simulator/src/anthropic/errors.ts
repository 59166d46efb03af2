import type { Dialect } from "../core/api.ts";
import type { Rejection } from "../core/rejection.ts";

const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  409: "conflict_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** Errors as the Messages API words them. */
export const anthropicDialect: Dialect = {
  error: (rejection, requestId) => ({
    kind: "json",
    status: rejection.status,
    headers: { "request-id": requestId, ...rejection.details.headers },
    body: { type: "error", error: errorOf(rejection), request_id: requestId },
  }),
  streamError: (rejection) => [{ event: "error", data: JSON.stringify({ type: "error", error: errorOf(rejection) }) }],
};

function errorOf({ status, message, details }: Rejection) {
  const type = details.type ?? TYPES[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  return { type, message, ...(details.code !== undefined && { details: { error_code: details.code } }) };
}
