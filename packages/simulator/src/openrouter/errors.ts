import type { Dialect } from "../core/api.ts";
import { parseJson } from "../core/json.ts";
import type { Rejection } from "../core/rejection.ts";

/** OpenRouter's own words for kinds of errors, by status. */
const KINDS: Readonly<Record<number, string>> = {
  400: "invalid_request",
  401: "authentication",
  402: "payment_required",
  403: "permission_denied",
  404: "not_found",
  408: "timeout",
  413: "payload_too_large",
  429: "rate_limit_exceeded",
  500: "server",
  502: "provider_unavailable",
  503: "provider_overloaded",
  529: "provider_overloaded",
};

/** Errors as OpenRouter words them: the status again as code, and more under `metadata`. */
export const openrouterDialect: Dialect = {
  error: (rejection) => ({
    kind: "json",
    status: rejection.status,
    headers: { ...rejection.details.headers },
    body: { error: openrouterError(rejection) },
  }),
  // Inside a stream the status stays 200: a chunk brings the error beside a choice that ended with it.
  streamError: (rejection) => [
    {
      data: JSON.stringify({
        id: "gen-error",
        object: "chat.completion.chunk",
        created: 0,
        model: "unknown",
        provider: "Simulator",
        error: openrouterError(rejection),
        choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }],
      }),
    },
  ],
};

function openrouterError({ status, message, details }: Rejection) {
  const raw =
    details.type === undefined ? {} : { raw: parseJson(details.type) ?? details.type, provider_name: "Anthropic" };
  return { message, code: status, metadata: { error_type: details.code ?? KINDS[status] ?? "unknown", ...raw } };
}
