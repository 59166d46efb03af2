import { anthropicDialect } from "../anthropic/errors.ts";
import type { Dialect } from "../core/api.ts";
import type { Rejection } from "../core/rejection.ts";

/** Errors of Google's token endpoint. */
export const tokenDialect: Dialect = {
  error: ({ status, message, details }) => ({
    kind: "json",
    status,
    headers: { ...details.headers },
    body: { error: details.code ?? "internal_failure", error_description: message },
  }),
  streamError: () => [],
};

/** Errors of Claude on Vertex: what the platform refuses is worded by Google, what the model refuses by Anthropic. */
export const vertexClaudeDialect: Dialect = {
  error: (rejection, requestId) =>
    STATUSES[rejection.status] === undefined ? anthropicDialect.error(rejection, requestId) : googleReply(rejection),
  streamError: anthropicDialect.streamError,
};

const STATUSES: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

function googleReply({ status, message, details }: Rejection) {
  return {
    kind: "json",
    status,
    headers: { ...details.headers },
    body: { error: { code: status, message, status: STATUSES[status] } },
  } as const;
}
