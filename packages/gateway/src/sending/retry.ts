const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 5_000;
/** An upstream that wants to be left alone for longer than this is not waited for: another one may answer sooner. */
const MAX_WAIT_MS = 20_000;

/** How long to wait before the next try at the same upstream; nothing where waiting makes no sense. */
export function retryDelayMs(
  tries: number,
  headers: Readonly<Record<string, string>>,
  random: () => number,
): number | undefined {
  const wished = retryAfterMs(headers);
  if (wished !== undefined) return wished <= MAX_WAIT_MS ? wished : undefined;
  return random() * Math.min(FIRST_DELAY_MS * 2 ** tries, MAX_DELAY_MS);
}

/** What the upstream itself asks for: `retry-after-ms`, or `retry-after` in seconds. Dates are left to the backoff. */
function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const ms = Number(headers["retry-after-ms"] || Number.NaN);
  const seconds = Number(headers["retry-after"] || Number.NaN);
  const wished = Number.isNaN(ms) ? seconds * 1_000 : ms;
  return wished >= 0 ? wished : undefined;
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
