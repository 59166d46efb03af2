const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 5_000;
/** An upstream that wants to be left alone for longer than this is not waited for: another one may answer sooner. */
const MAX_WAIT_MS = 20_000;

/** Returns how long to wait before the next try at the same upstream; nothing if waiting makes no sense. */
export function retryDelayMs(tries: number, wishedMs: number | undefined, random: () => number): number | undefined {
  if (wishedMs !== undefined) return wishedMs <= MAX_WAIT_MS ? wishedMs : undefined;
  return random() * Math.min(FIRST_DELAY_MS * 2 ** tries, MAX_DELAY_MS);
}

/** Returns how long the upstream asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs = Date.now()): number | undefined {
  const ms = numberIn(headers["retry-after-ms"]);
  if (ms !== undefined) return ms;
  const seconds = numberIn(headers["retry-after"]);
  if (seconds !== undefined) return seconds * 1_000;
  // The upstream's own clock, if it says what it shows, because two clocks may differ.
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

/** Keeps retries to a fifth of the requests, so that a failing upstream is not buried under them. */
export interface RetryBudget {
  /** A request came in. */
  earn(): void;
  /** Whether one more try may be made; it is paid for if so. */
  spend(): boolean;
}

/** A budget with enough saved for a few retries. */
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
