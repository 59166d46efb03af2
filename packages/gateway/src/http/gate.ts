import { LonghaulError } from "@longhaul/conversation";

/** Limits the requests in flight and the memory of their bodies, and waits for the last one on close. */
export interface Gate {
  readonly isClosing: boolean;
  /** Number of requests in flight. */
  readonly inside: number;
  /** Admits a request; call the result when it is done. Throws `limit.overloaded` if there are too many, or if the gateway is stopping. */
  enter(): () => void;
  /** Starts to count the memory of one body. */
  openBody(): BodyClaim;
  /** Admits no more requests; resolves when the last one is done. */
  close(): Promise<void>;
}

export interface BodyClaim {
  /** Reports the current size; throws `limit.overloaded` if all bodies together exceed the limit. */
  grow(bytes: number): void;
  release(): void;
}

/** Smaller bodies are always accepted: even with the maximum number of requests they take little memory. */
const FREE_BYTES = 1024 * 1024;

const RETRY_AFTER_MS = 1_000;

/** Makes a gate for this many concurrent requests, with this many bytes of large bodies in total. */
export function makeGate(maxInside: () => number, maxBodyBytes = () => Number.POSITIVE_INFINITY): Gate {
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
      if (inside >= maxInside()) throw overloaded(`${inside} requests are in flight, the maximum (server.maxRequests)`);
      inside += 1;
      return onceOnly(leave);
    },
    openBody: openBodies(maxBodyBytes),
    close: () => {
      isClosing = true;
      return inside === 0 ? Promise.resolve() : new Promise((resolve) => (emptied = resolve));
    },
  };
}

/** Returns a function that starts to count one body towards the common limit. */
function openBodies(maxBytes: () => number): () => BodyClaim {
  let claimed = 0;
  return () => {
    let own = 0;
    const take = (bytes: number) => {
      claimed += bytes - own;
      own = bytes;
    };
    return {
      grow: (bytes) => {
        if (bytes <= FREE_BYTES || bytes <= own) return;
        // A single body is accepted at any size: server.bodyLimitMiB is its limit.
        if (claimed > own && claimed - own + bytes > maxBytes()) throw overloaded(TOO_MANY_BYTES);
        take(bytes);
      },
      release: () => take(0),
    };
  };
}

const TOO_MANY_BYTES = "the request bodies in memory have reached the limit in server.bodiesInFlightMiB";

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
