import { LonghaulError, type WireId } from "@longhaul/conversation";
import { answerHeaders, mediaKind } from "@longhaul/upstream";
import { errorOutcome, type Outcome } from "../http/outcome.ts";
import { hideAddresses, type Redact, redactAlso, redactBytes } from "../logging/redact.ts";
import type { Received, RequestContext } from "../request/request-context.ts";
import { Refusal } from "./send.ts";

/**
 * Writes an upstream's refusal in the client's dialect; in the same dialect its bytes stay, because clients react to the exact message.
 * Throws any other error.
 */
export function translateRefusal(
  error: unknown,
  { endpoint, headers }: Pick<Received, "endpoint" | "headers">,
  { record, snapshot }: Pick<RequestContext, "record" | "snapshot">,
): Outcome {
  if (!(error instanceof Refusal)) throw error;
  record.error = error.error;
  return refusalOutcome(error, endpoint.wire, redactAlso(snapshot.redact, headers));
}

function refusalOutcome(refusal: Refusal, wire: WireId, redact: Redact): Outcome {
  const { error, body, headers, destination } = refusal;
  const { upstream } = destination.handle.connection;
  const hide = (text: string) => hideAddresses(redact(text), upstream.baseUrl);
  // A platform with its own body format also has its own error format.
  const isOwnDialect = upstream.deployment.shapeBody === undefined;
  const isData = mediaKind(headers["content-type"]) === "data";
  if (body === undefined || destination.wire !== wire || !isOwnDialect || !isData) {
    const outcome = errorOutcome(wire, error, hide);
    return { ...outcome, headers: { ...outcome.headers, ...pacing(headers) } };
  }
  // Some servers quote the rejected key or an internal address.
  const own = { ...answerHeaders(headers), "content-type": "application/json" };
  return { status: error.status, headers: own, body: redactBytes(body, hide), isStream: false };
}

/** Headers that have the same meaning in every format. */
const PACING = ["retry-after", "retry-after-ms", "x-should-retry"];

function pacing(headers: Refusal["headers"]): Outcome["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => PACING.includes(name)));
}

/** Treats any other error as a bug and hides its message from clients. */
export function asError(error: unknown): LonghaulError {
  if (error instanceof LonghaulError) return error;
  return new LonghaulError("internal.bug", "internal error; see the gateway's log", { cause: error });
}
