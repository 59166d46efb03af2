const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 300_000;

/** Keeps requests away from an upstream that keeps failing. */
export interface Circuit {
  /** Whether requests are kept away right now. */
  readonly isOpen: boolean;
  /** Whether a request may be tried; after a pause one is let through to see. */
  allows(): boolean;
  /** A stream began well, and may still break off: others may try again, but one more failure keeps them away. */
  began(): void;
  succeeded(): void;
  failed(): void;
}

/**
 * A circuit that opens after five failures in a row, for half a minute at first and longer each time the trial request after a pause fails
 * too.
 */
export function makeCircuit(now: () => number): Circuit {
  let failures = 0;
  let pauses = 0;
  let closedUntil = 0;
  const open = () => {
    closedUntil = now() + Math.min(FIRST_PAUSE_MS * 2 ** pauses, MAX_PAUSE_MS);
    pauses += 1;
  };
  return {
    get isOpen() {
      return failures >= FAILURES_TO_OPEN && now() < closedUntil;
    },
    allows: () => {
      if (failures < FAILURES_TO_OPEN) return true;
      if (now() < closedUntil) return false;
      // Whoever tries may be called off and never tell how it went.
      closedUntil = now() + FIRST_PAUSE_MS;
      return true;
    },
    began: () => {
      failures = Math.min(failures, FAILURES_TO_OPEN - 1);
    },
    succeeded: () => {
      failures = 0;
      pauses = 0;
    },
    failed: () => {
      failures += 1;
      if (failures >= FAILURES_TO_OPEN) open();
    },
  };
}
