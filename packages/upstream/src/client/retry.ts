const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 5_000;
/** A longer wait is not worth it: another upstream may answer sooner. */
const MAX_WAIT_MS = 20_000;

/** Returns the delay before the next try at the same upstream, or undefined if waiting makes no sense. */
export function retryDelayMs(tries: number, requestedMs: number | undefined, random: () => number): number | undefined {
  if (requestedMs !== undefined) return requestedMs <= MAX_WAIT_MS ? requestedMs : undefined;
  return random() * Math.min(FIRST_DELAY_MS * 2 ** tries, MAX_DELAY_MS);
}

/** Returns how long the upstream asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs = Date.now()): number | undefined {
  const ms = numberIn(headers["retry-after-ms"]);
  if (ms !== undefined) return ms;
  const seconds = numberIn(headers["retry-after"]);
  if (seconds !== undefined) return seconds * 1_000;
  // Uses the upstream's own clock if it sends one, because the two clocks may differ.
  const untilMs = Date.parse(dateIn(headers["retry-after"])) - (Date.parse(dateIn(headers.date)) || nowMs);
  return Number.isNaN(untilMs) ? undefined : Math.max(untilMs, 0);
}

function numberIn(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

/** HTTP dates begin with the day's name; `Date.parse` would accept much more. */
function dateIn(value: string | undefined): string {
  return value !== undefined && /^[A-Za-z]{3,9},? /.test(value) ? value : "";
}

const EARNED_PER_REQUEST = 0.2;
const MOST_SAVED = 10;
const SAVED_AT_START = 3;

/** Limits retries to a fifth of the requests, so that they do not overload a failing upstream. */
export interface RetryBudget {
  earn(): void;
  /** Spends credit for one retry. Returns false if there is none. */
  spend(): boolean;
}

/** Makes a budget with credit for a few retries. */
export function makeRetryBudget(): RetryBudget {
  let saved = SAVED_AT_START;
  return {
    earn: () => {
      saved = Math.min(saved + EARNED_PER_REQUEST, MOST_SAVED);
    },
    spend: () => {
      if (saved < 1) return false;
      saved -= 1;
      return true;
    },
  };
}
