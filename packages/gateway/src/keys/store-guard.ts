import { LonghaulError } from "@longhaul/conversation";
import { inTime, LATE } from "@longhaul/fit";

export interface StoreGuardOptions {
  readonly nowMs: () => number;
  readonly warn: (what: string) => void;
  /** The warning, without the reason. */
  readonly consequence: string;
}

/** How long a store that failed is not asked. */
const PAUSE_MS = 5_000;

/** Keeps a slow or failing store from delaying requests: calls have a deadline, and after a failure the store is left alone for a while. */
export class StoreGuard {
  readonly #options: StoreGuardOptions;
  #failedMs = Number.NEGATIVE_INFINITY;

  constructor(options: StoreGuardOptions) {
    this.#options = options;
  }

  /** Whether the store failed moments ago. */
  get isPausing(): boolean {
    return this.#options.nowMs() - this.#failedMs < PAUSE_MS;
  }

  /** Warns of the first failure in a row. */
  failed(error: unknown): void {
    const isFirst = this.#failedMs === Number.NEGATIVE_INFINITY;
    this.#failedMs = this.#options.nowMs();
    const why = error instanceof Error ? error.message : String(error);
    if (isFirst) this.#options.warn(`${this.#options.consequence}: ${why}`);
  }

  recovered(): void {
    this.#failedMs = Number.NEGATIVE_INFINITY;
  }
}

/** Awaits a call of the store; throws `store.unavailable` if it takes too long. */
export async function within<T>(limitMs: number, asked: Promise<T>): Promise<T> {
  const answer = await inTime(limitMs, asked);
  if (answer !== LATE) return answer;
  throw new LonghaulError("store.unavailable", `the database did not answer within ${limitMs} ms`);
}
