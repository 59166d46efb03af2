import type { StreamEvent } from "@longhaul/conversation/advanced";
import { withoutBom } from "@longhaul/upstream";
import { type Codec, MAX_EVENT_BYTES, sseReader } from "@longhaul/wire";

/** A stream that has begun well. */
export interface Opened {
  /** The chunks that were read. */
  readonly held: readonly Uint8Array[];
  readonly rest: AsyncIterable<Uint8Array>;
}

const HOLD_MS = 2_000;

export interface HoldOptions {
  readonly holdMs?: number;
  readonly maxEventBytes?: number | undefined;
}

/**
 * Holds a stream until its first content, at most for `holdMs`. Throws for an error event before that, and for a stream that ends without a
 * reply, so that the request can still be retried or answered with a status of its own.
 */
export async function hold(body: AsyncIterable<Uint8Array>, codec: Codec, options: HoldOptions = {}): Promise<Opened> {
  const { holdMs = HOLD_MS, maxEventBytes = MAX_EVENT_BYTES } = options;
  const iterator = body[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  const watch = makeWatch(codec, maxEventBytes);
  const timer = makeTimer(holdMs);
  let heldBytes = 0;
  try {
    for (;;) {
      const next = iterator.next();
      const first = await Promise.race([next, timer.over]);
      if (first === "over") return { held, rest: resume(next, iterator) };
      if (first.done === true) {
        watch.end();
        return { held, rest: nothing() };
      }
      held.push(held.length === 0 ? withoutBom(first.value) : first.value);
      heldBytes += first.value.length;
      const hasBegun = watch.see(first.value) || heldBytes > maxEventBytes;
      if (hasBegun) return { held, rest: resume(iterator.next(), iterator) };
    }
  } catch (error) {
    await iterator.return?.();
    throw error;
  } finally {
    timer.stop();
  }
}

/** Content begins within the first events, so a large chunk is read in pieces. */
const PIECE_BYTES = 1_024;

function makeWatch(codec: Codec, maxEventBytes: number) {
  let bytes = sseReader.start(maxEventBytes);
  let events = codec.decodeStream.start();
  return {
    /** Returns whether content has begun; throws an error event. */
    see: (chunk: Uint8Array) => {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        const [nextBytes, wireEvents] = sseReader.step(bytes, chunk.subarray(at, at + PIECE_BYTES));
        bytes = nextBytes;
        for (const wireEvent of wireEvents) {
          const [nextEvents, found] = codec.decodeStream.step(events, wireEvent);
          events = nextEvents;
          if (found.some(isContent)) return true;
        }
      }
      return false;
    },
    /** Throws if the stream may not end here. */
    end: () => void codec.decodeStream.end(events).some(isContent),
  };
}

function isContent(event: StreamEvent): boolean {
  if (event.type === "error") throw event.error;
  return event.type !== "reply-start" && event.type !== "ping" && event.type !== "native";
}

async function* resume(pending: Promise<IteratorResult<Uint8Array>>, iterator: AsyncIterator<Uint8Array>) {
  try {
    for (let next = await pending; next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function makeTimer(ms: number): { over: Promise<"over">; stop: () => void } {
  let stop = () => {};
  const over = new Promise<"over">((resolve) => {
    const timer = setTimeout(resolve, ms, "over");
    stop = () => clearTimeout(timer);
  });
  return { over, stop };
}
