const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 300_000;

/** Blocks requests to an upstream that keeps failing. */
export interface Circuit {
  readonly isOpen: boolean;
  /** Returns whether a request may be sent. After a pause, one trial request is allowed. */
  allows(): boolean;
  /** Reports that a stream began well: requests are allowed again, but one more failure blocks them. */
  began(): void;
  succeeded(): void;
  failed(): void;
}

/** Opens after five failures in a row: for half a minute, and longer each time the trial request after a pause fails. */
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
      // The trial may be aborted and never report back.
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
