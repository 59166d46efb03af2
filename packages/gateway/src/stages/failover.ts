import { LonghaulError } from "@longhaul/conversation";
import { type Destination, windowOf } from "@longhaul/fit";
import type { Call, RequestContext } from "../request/request-context.ts";
import { Refusal } from "./send.ts";

/** The reason why a destination did not answer: its own refusal, or the request cannot be made to fit. */
type Failure = Refusal | LonghaulError;

/** Chooses which destination is tried next. It may only be used while the client has not seen a byte of an answer. */
export class Failover {
  // Not a closure over them: with one in a field, V8 keeps the whole request in memory until the next full garbage collection.
  readonly #call: Call;
  readonly #learned: RequestContext["memory"]["fitting"]["learned"];
  #left: readonly Destination[];
  #failure: Failure | undefined;

  constructor(call: Call, destinations: readonly Destination[], { memory }: Pick<RequestContext, "memory">) {
    this.#call = call;
    this.#learned = memory.fitting.learned;
    this.#left = destinations;
  }

  /** Returns the next destination. One with an open circuit is skipped, unless it is the only hope. */
  next(): Destination | undefined {
    for (;;) {
      const [destination, ...left] = this.#left;
      if (destination === undefined) return undefined;
      this.#left = left;
      const { circuit, retries } = destination.handle;
      const isOnlyHope = left.length === 0 && (this.#failure === undefined || isTooLarge(this.#failure));
      if (!circuit.allows() && !isOnlyHope) continue;
      retries.earn();
      return destination;
    }
  }

  /** Drops the destinations that cannot help after this failure. An error of any other kind ends the request: it is thrown. */
  failed(destination: Destination, error: unknown): void {
    // Why an earlier destination failed matters more than what this one cannot express.
    if (!isFailure(error)) throw this.#failure ?? error;
    this.#failure = moreHelpful(this.#failure, error);
    const windowAt = (to: Destination) => windowOf(to, this.#learned.window(this.#call, to));
    this.#left = destinationsAfter(errorOf(error), { destination, left: this.#left, windowAt });
  }

  /** Returns the error for the client if no destination has answered. */
  failure(): Error {
    return this.#failure ?? new LonghaulError("upstream.unreachable", ALL_FAILING);
  }
}

const ALL_FAILING = "every upstream of this route is failing; try again later";

function isFailure(error: unknown): error is Failure {
  return error instanceof Refusal || (error instanceof LonghaulError && isTooLarge(error));
}

function errorOf(failure: Failure): LonghaulError {
  return failure instanceof Refusal ? failure.error : failure;
}

function isTooLarge(failure: Failure): boolean {
  return errorOf(failure).code === "request.too-large";
}

/** Why an earlier destination failed matters more than that the next one is too small. */
function moreHelpful(last: Failure | undefined, next: Failure): Failure {
  return last === undefined || next instanceof Refusal || isTooLarge(last) ? next : last;
}

interface Failed {
  readonly destination: Destination;
  readonly left: readonly Destination[];
  /** Returns a destination's window in tokens, as far as it is known. */
  windowAt(destination: Destination): number;
}

/** Returns the destinations that may still answer: all that are left, only those with a larger window, or none. */
export function destinationsAfter(
  error: LonghaulError,
  { destination, left, windowAt }: Failed,
): readonly Destination[] {
  if (error.code !== "request.too-large") return mayWorkElsewhere(error) ? left : [];
  const outgrownTokens = windowAt(destination);
  return left.filter((other) => windowAt(other) > outgrownTokens);
}

/** Statuses that are about the upstream or our credential there and not about the request. */
const WORKS_ELSEWHERE = new Set([401, 402, 403, 404, 408, 429, 501]);

function mayWorkElsewhere({ status, retryable }: LonghaulError): boolean {
  return retryable || WORKS_ELSEWHERE.has(status) || status >= 500;
}
