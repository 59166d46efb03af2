import { LonghaulError } from "@longhaul/conversation";
import { answerHeaders } from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import type { Call } from "../call.ts";
import { mediaKind } from "../http/media-type.ts";
import { type Outcome, spelledOutcome } from "../http/outcome.ts";
import { type Redact, redactBytes } from "../logging/redact.ts";
import type { Refusal } from "./attempt.ts";

/** An error in the client's own dialect; one of the same dialect keeps its bytes, because clients act on its words. */
export function translateRefusal(call: Pick<Call, "endpoint">, refusal: Refusal, redact: Redact): Outcome {
  const { error, body, headers, target } = refusal;
  // A platform that wants the format's bodies changed has errors of its own, too.
  const isOwnDialect = target.place.connection.upstream.deployment.shapeBody === undefined;
  const isData = mediaKind(headers["content-type"]) === "data";
  if (body === undefined || target.wire !== call.endpoint.wire || !isOwnDialect || !isData) {
    return translateError(call.endpoint.wire, error, redact);
  }
  // Some servers quote the key that they refuse.
  return { status: error.status, headers: answerHeaders(headers), body: redactBytes(body, redact), isStream: false };
}

/** An error of ours in the client's own dialect. */
export function translateError(wire: string, error: LonghaulError, redact: Redact): Outcome {
  const { status, body } = codecOf(wire).encodeError(error);
  const retry =
    error.retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(error.retryAfterMs / 1_000)) };
  return spelledOutcome(redact(JSON.stringify(body)), status, retry);
}

/** Anything that is not our own error is a bug, and its words stay inside. */
export function asError(error: unknown): LonghaulError {
  if (error instanceof LonghaulError) return error;
  return new LonghaulError("internal.bug", "something went wrong inside the gateway; its log says more", {
    cause: error,
  });
}
