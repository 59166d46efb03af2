import { LonghaulError } from "@longhaul/conversation";

/** Counts requests under way, refuses what is too much, and tells when all are done. */
export interface Gate {
  readonly isClosing: boolean;
  /** Requests under way. */
  readonly inside: number;
  /** Lets a request in; throws `limit.overloaded` when there are too many, or when the gateway is about to stop. Call the result when it is done. */
  enter(): () => void;
  /** Begins to count the memory of one body. */
  openBody(): BodyClaim;
  /** Lets nobody else in, and resolves when nobody is inside any more. */
  close(): Promise<void>;
}

/** The memory that one body takes. */
export interface BodyClaim {
  /** Says how large the body is by now; throws `limit.overloaded` if all bodies together are larger than may be. */
  grow(bytes: number): void;
  /** Gives the memory back. */
  release(): void;
}

/** Smaller bodies always pass: as many of them as requests may be under way take little memory. */
const FREE_BYTES = 1024 * 1024;

/** How long a client that was refused should wait. */
const RETRY_AFTER_MS = 1_000;

/** Makes a gate for at most this many requests at once, whose large bodies have at most this many bytes together. */
export function makeGate(maxInside: () => number, maxBodyBytes = () => Number.POSITIVE_INFINITY): Gate {
  let inside = 0;
  let claimed = 0;
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
    openBody: () => {
      let own = 0;
      const take = (bytes: number) => {
        claimed += bytes - own;
        own = bytes;
      };
      return {
        grow: (bytes) => {
          if (bytes <= FREE_BYTES || bytes <= own) return;
          // The first of all bodies passes whatever its size: server.bodyLimitMiB is the limit for one.
          if (claimed > own && claimed - own + bytes > maxBodyBytes()) throw overloaded(TOO_MANY_BYTES);
          take(bytes);
        },
        release: () => take(0),
      };
    },
    close: () => {
      isClosing = true;
      return inside === 0 ? Promise.resolve() : new Promise((resolve) => (emptied = resolve));
    },
  };
}

const TOO_MANY_BYTES = "the bodies of requests under way take as much memory as server.bodiesInFlightMiB allows";

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
