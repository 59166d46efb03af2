import { LonghaulError } from "@longhaul/conversation";

/** Counts requests under way, refuses what is too much, and tells when all are done. */
export interface Gate {
  readonly isClosing: boolean;
  /** Requests under way. */
  readonly inside: number;
  /** Lets a request in; throws `limit.overloaded` when there are too many, or when the gateway is about to stop. Call the result when it is done. */
  enter(): () => void;
  /** Lets nobody else in, and resolves when nobody is inside any more. */
  close(): Promise<void>;
}

/** How long a client that was refused should wait. */
const RETRY_AFTER_MS = 1_000;

/** A gate for at most this many requests at once. */
export function makeGate(maxInside: () => number): Gate {
  let inside = 0;
  let isClosing = false;
  let emptied = () => {};
  const leave = () => {
    inside -= 1;
    if (inside === 0) emptied();
  };
  return {
    get isClosing() {
      return isClosing;
    },
    get inside() {
      return inside;
    },
    enter: () => {
      if (isClosing) throw overloaded("the gateway is stopping");
      if (inside >= maxInside())
        throw overloaded(`${inside} requests are under way, as many as server.maxRequests allows`);
      inside += 1;
      return onceOnly(leave);
    },
    close: () => {
      isClosing = true;
      return inside === 0 ? Promise.resolve() : new Promise((resolve) => (emptied = resolve));
    },
  };
}

function overloaded(why: string): LonghaulError {
  return new LonghaulError("limit.overloaded", `${why}; try again in a moment`, { retryAfterMs: RETRY_AFTER_MS });
}

function onceOnly(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
