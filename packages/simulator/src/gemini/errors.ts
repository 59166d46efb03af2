import type { Dialect } from "../core/api.ts";
import type { JsonObject } from "../core/json.ts";
import type { Rejection } from "../core/rejection.ts";

/** The names of `google.rpc.Code`. */
const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ABORTED",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** What Google says when it has no room, whoever asked for the failure. */
const BUSY: Readonly<Record<number, string>> = {
  429: "Resource has been exhausted (e.g. check quota).",
  503: "The model is overloaded. Please try again later.",
};
const RETRY = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1s" };

/** Errors as Google's APIs word them. */
export const geminiDialect: Dialect = {
  error: (rejection) => {
    const body = { error: errorOf(rejection) };
    return {
      kind: "json",
      status: rejection.status,
      headers: { ...rejection.details.headers },
      body: rejection.details.isInList === true ? [body] : body,
    };
  },
  streamError: (rejection) => [{ data: JSON.stringify({ error: errorOf(rejection) }) }],
};

function errorOf({ status, message, details }: Rejection): JsonObject {
  const more = details.more ?? (status === 429 ? [RETRY] : []);
  return {
    code: status,
    message: BUSY[status] ?? message,
    status: STATUSES[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "UNAVAILABLE"),
    ...(more.length > 0 && { details: more }),
  };
}
