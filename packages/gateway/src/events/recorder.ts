import { LonghaulError } from "@longhaul/conversation";
import { inTime } from "@longhaul/fit";
import type { CondensationEvent, EventBatch, Events, RequestEvent } from "@longhaul/store";
import type { Observer } from "./observer.ts";

/** Keeps what it is told, later and many at a time. */
export interface Recorder extends Observer {
  /** Waiting to be kept, and lost because there was no room or the store would not have them. */
  counts(): RecorderCounts;
  /** Keeps what is waiting, as far as the store has it within some seconds. */
  close(): Promise<void>;
}

/** How a recorder is doing. */
interface RecorderCounts {
  readonly waiting: number;
  readonly dropped: number;
}

/** What a recorder takes from outside. */
export interface RecorderOptions {
  readonly events: Pick<Events, "add">;
  readonly isEnabled: () => boolean;
  /** Tells the operator that something was lost. */
  readonly warn: (what: string) => void;
  readonly nowMs: () => number;
}

/** How long an event waits for others, and how many are kept at once: a batch of 200 costs half as much again for each. */
const FLUSH_MS = 500;
const BATCH_EVENTS = 500;
/** Some 10 MB. */
const MAX_WAITING = 10_000;
/** After a failure, and at most. */
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
const CLOSE_MS = 5_000;
const WARN_EVERY_MS = 60_000;

type Waiting = { readonly request: RequestEvent } | { readonly condensation: CondensationEvent };

/**
 * A recorder over a store. Nobody waits for it: what finds no room is dropped and counted. A store that is away is tried again; what it will
 * not have is dropped.
 */
export function makeRecorder(options: RecorderOptions): Recorder {
  const queue = new EventQueue(options);
  const { isEnabled } = options;
  return {
    finished: ({ event }) => {
      if (isEnabled()) queue.push({ request: event });
    },
    condensed: (condensation) => {
      if (isEnabled()) queue.push({ condensation });
    },
    counts: () => ({ waiting: queue.waiting, dropped: queue.dropped }),
    close: () => queue.close(),
  };
}

class EventQueue {
  readonly #options: RecorderOptions;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<boolean> | undefined;
  #failures = 0;
  #warnedAtMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  dropped = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  push(event: Waiting): void {
    if (this.#isClosed || this.#waiting.length >= MAX_WAITING) {
      this.#drop(1, "there are more than can be kept");
      return;
    }
    this.#waiting.push(event);
    if (this.#failures === 0 && this.#waiting.length >= BATCH_EVENTS) this.#write();
    else this.#wait(FLUSH_MS);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await inTime(CLOSE_MS, this.#writeAll());
    const left = this.#waiting.splice(0).length;
    if (left > 0) this.#drop(left, "the gateway was closed before the store had them");
  }

  /** Writes all that waits, as long as the store keeps it. */
  async #writeAll(): Promise<void> {
    for (let isKept = true; isKept && (this.#writing !== undefined || this.#waiting.length > 0); ) {
      isKept = await (this.#writing ?? this.#writeOnce());
    }
  }

  #wait(ms: number): void {
    if (this.#timer !== undefined || this.#writing !== undefined || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#write();
    }, ms);
    this.#timer.unref();
  }

  #write(): void {
    if (this.#writing !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#writeOnce().then((isKept) => {
      if (this.#waiting.length >= BATCH_EVENTS && isKept && !this.#isClosed) this.#write();
      else if (this.#waiting.length > 0) this.#wait(isKept ? FLUSH_MS : retryMs(this.#failures));
    });
  }

  /** Whether a batch was kept, or given up. */
  #writeOnce(): Promise<boolean> {
    const batch = this.#waiting.slice(0, BATCH_EVENTS);
    this.#writing = this.#options.events
      .add(batchOf(batch))
      .then(
        () => {
          this.#failures = 0;
          this.#waiting.splice(0, batch.length);
          return true;
        },
        (error: unknown) => this.#failed(error, batch.length),
      )
      .finally(() => {
        this.#writing = undefined;
      });
    return this.#writing;
  }

  #failed(error: unknown, events: number): boolean {
    if (error instanceof LonghaulError && error.code === "store.unavailable") {
      this.#failures += 1;
      return false;
    }
    this.#waiting.splice(0, events);
    this.#drop(events, error instanceof LonghaulError ? `the store refused them (${error.code})` : "the store failed");
    return true;
  }

  #drop(events: number, why: string): void {
    this.dropped += events;
    const now = this.#options.nowMs();
    if (now - this.#warnedAtMs < WARN_EVERY_MS) return;
    this.#warnedAtMs = now;
    this.#options.warn(`${this.dropped} events have been lost by now: ${why}; requests are not held up by that`);
  }
}

function retryMs(failures: number): number {
  return Math.min(RETRY_MS * 2 ** Math.max(0, failures - 1), MAX_RETRY_MS);
}

function batchOf(waiting: readonly Waiting[]): EventBatch {
  return {
    requests: waiting.flatMap((each) => ("request" in each ? [each.request] : [])),
    condensations: waiting.flatMap((each) => ("condensation" in each ? [each.condensation] : [])),
  };
}
