import { LonghaulError } from "@longhaul/conversation";
import { inTime } from "@longhaul/fit";
import type { CondensationEvent, EventBatch, Events, RequestEvent, SessionDescription } from "@longhaul/store";
import type { EndedRequest, Observer } from "./observer.ts";

export interface RecorderOptions {
  readonly events: Pick<Events, "add">;
  readonly isEnabled: () => boolean;
  readonly warn: (what: string) => void;
  readonly nowMs: () => number;
}

/** How long an event waits for others, and the size of a batch: in batches of 200 each event costs half as much again. */
const FLUSH_MS = 500;
const BATCH_EVENTS = 500;
/** About 10 MB. */
const MAX_WAITING = 10_000;
/** The first and the longest delay after a failure. */
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
const CLOSE_MS = 5_000;
const WARN_EVERY_MS = 60_000;

type Waiting =
  | { readonly request: RequestEvent; readonly description: SessionDescription | undefined }
  | { readonly condensation: CondensationEvent };

/**
 * Writes events to the store in batches and never blocks: events that do not fit the queue are dropped and counted. An unavailable store is
 * retried; events that the store rejects are dropped.
 */
export class Recorder implements Observer {
  readonly #options: RecorderOptions;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<boolean> | undefined;
  #failures = 0;
  #warnedAtMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #dropped = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Returns the number of queued and of lost events. */
  counts() {
    return { waiting: this.#waiting.length, dropped: this.#dropped };
  }

  /** A request without a model, such as one for the list of models, costs nothing and belongs to no session: only failures are stored. */
  finished({ event, description }: EndedRequest): void {
    if (event.model === "" && event.status < 400 && event.errorCode === "") return;
    this.#push({ request: event, description });
  }

  condensed(condensation: CondensationEvent): void {
    this.#push({ condensation });
  }

  #push(event: Waiting): void {
    if (!this.#options.isEnabled()) return;
    if (this.#isClosed || this.#waiting.length >= MAX_WAITING) {
      this.#drop(1, "the queue is full");
      return;
    }
    this.#waiting.push(event);
    if (this.#failures === 0 && this.#waiting.length >= BATCH_EVENTS) this.#write();
    else this.#wait(FLUSH_MS);
  }

  /** Writes the queued events, within a few seconds. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await inTime(CLOSE_MS, this.#writeAll());
    const left = this.#waiting.splice(0).length;
    if (left > 0) this.#drop(left, "the gateway was closed before they were written");
  }

  /** Writes batches until the queue is empty or the store fails. */
  async #writeAll(): Promise<void> {
    for (let isDone = true; isDone && (this.#writing !== undefined || this.#waiting.length > 0); ) {
      isDone = await (this.#writing ?? this.#writeOnce());
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
    void this.#writeOnce().then((isDone) => {
      if (this.#waiting.length >= BATCH_EVENTS && isDone && !this.#isClosed) this.#write();
      else if (this.#waiting.length > 0) this.#wait(isDone ? FLUSH_MS : retryMs(this.#failures));
    });
  }

  /** Returns whether the batch is done: written, or dropped. */
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
    this.#drop(events, error instanceof LonghaulError ? `the store rejected them (${error.code})` : "the store failed");
    return true;
  }

  #drop(events: number, why: string): void {
    this.#dropped += events;
    const now = this.#options.nowMs();
    if (now - this.#warnedAtMs < WARN_EVERY_MS) return;
    this.#warnedAtMs = now;
    this.#options.warn(`${this.#dropped} events lost so far: ${why}; requests are not affected`);
  }
}

function retryMs(failures: number): number {
  return Math.min(RETRY_MS * 2 ** Math.max(0, failures - 1), MAX_RETRY_MS);
}

function batchOf(waiting: readonly Waiting[]): EventBatch {
  return {
    requests: waiting.flatMap((each) => ("request" in each ? [each.request] : [])),
    condensations: waiting.flatMap((each) => ("condensation" in each ? [each.condensation] : [])),
    descriptions: waiting.flatMap((each) => ("request" in each && each.description ? [each.description] : [])),
  };
}
