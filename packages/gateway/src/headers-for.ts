import type { Call } from "./call.ts";
import type { Target } from "./target.ts";

/** Another vendor is not told what belongs to the client's own: versions, betas, session ids. */
export function headersFor(
  { headers, endpoint }: Pick<Call, "headers" | "endpoint">,
  { wire }: Pick<Target, "wire">,
): Call["headers"] {
  if (endpoint.wire === wire) return headers;
  const { authorization, "x-api-key": key, "x-goog-api-key": googleKey } = headers;
  const given = { authorization, "x-api-key": key, "x-goog-api-key": googleKey };
  const credentials = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const version = wire === "anthropic-messages" ? { "anthropic-version": ANTHROPIC_VERSION } : {};
  return { ...Object.fromEntries(credentials), ...version };
}

/** What the Messages API is asked for where the client speaks another format. */
const ANTHROPIC_VERSION = "2023-06-01";
