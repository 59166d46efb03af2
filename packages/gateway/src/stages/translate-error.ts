import { LonghaulError, type WireId } from "@longhaul/conversation";
import { answerHeaders, mediaKind } from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import type { Call } from "../call.ts";
import { jsonTextOutcome, type Outcome } from "../http/outcome.ts";
import { hideAddresses, type Redact, redactBytes } from "../logging/redact.ts";
import type { Refusal } from "./attempt.ts";

/** An error in the client's own dialect; one of the same dialect keeps its bytes, because clients act on its words. */
export function translateRefusal(call: Pick<Call, "endpoint">, refusal: Refusal, redact: Redact): Outcome {
  const { error, body, headers, destination } = refusal;
  const { upstream } = destination.handle.connection;
  const hide = (text: string) => hideAddresses(redact(text), upstream.baseUrl);
  // A platform that wants the format's bodies changed has errors of its own, too.
  const isOwnDialect = upstream.deployment.shapeBody === undefined;
  const isData = mediaKind(headers["content-type"]) === "data";
  if (body === undefined || destination.wire !== call.endpoint.wire || !isOwnDialect || !isData) {
    const outcome = translateError(call.endpoint.wire, error, hide);
    return { ...outcome, headers: { ...outcome.headers, ...pacing(headers) } };
  }
  // Some servers quote the key that they refuse, or the address behind them.
  const own = { ...answerHeaders(headers), "content-type": "application/json" };
  return { status: error.status, headers: own, body: redactBytes(body, hide), isStream: false };
}

/** Headers that mean the same to clients of every format. */
const PACING = ["retry-after", "retry-after-ms", "x-should-retry"];

function pacing(headers: Refusal["headers"]): Outcome["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => PACING.includes(name)));
}

/** An error of ours in the client's own dialect. */
export function translateError(wire: WireId, error: LonghaulError, redact: Redact): Outcome {
  const { status, body } = codecOf(wire).encodeError(error);
  const { retryAfterMs } = error;
  const retry = retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) };
  return jsonTextOutcome(redact(JSON.stringify(body)), status, retry);
}

/** Anything that is not our own error is a bug, and its words stay inside. */
export function asError(error: unknown): LonghaulError {
  if (error instanceof LonghaulError) return error;
  return new LonghaulError("internal.bug", "something went wrong inside the gateway; its log says more", {
    cause: error,
  });
}
