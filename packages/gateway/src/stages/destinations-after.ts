import type { LonghaulError } from "@longhaul/conversation";
import type { Destination } from "@longhaul/fit";

/** A target that did not answer, and those behind it. */
export interface Failed {
  readonly destination: Destination;
  readonly left: readonly Destination[];
  /** Tokens of a target's window, as far as that is known by now. */
  windowAt(destination: Destination): number;
}

/** The targets that may still answer: all that are left, only those with a larger window, or none. */
export function destinationsAfter(
  error: LonghaulError,
  { destination, left, windowAt }: Failed,
): readonly Destination[] {
  if (error.code !== "request.too-large") return movesOn(error) ? left : [];
  const outgrownTokens = windowAt(destination);
  return left.filter((other) => windowAt(other) > outgrownTokens);
}

/** Statuses that say something of the upstream or our credential there, not of the request: another upstream may answer. */
const MOVES_ON = new Set([401, 402, 403, 404, 408, 429, 501]);

function movesOn({ status, retryable }: LonghaulError): boolean {
  return retryable || MOVES_ON.has(status) || status >= 500;
}
