import { setImmediate as nextTurn } from "node:timers/promises";

/** Lets others have the thread now and then during work that may be long. */
export interface Pauses {
  /** Resolves at once, or after others had their turn where the work has gone on for long. */
  take(): Promise<void> | undefined;
}

/** Others should not notice: a stream's next piece waits at most this long. */
const WORK_MS = 8;

/** Begins to watch the time. */
export function makePauses(nowMs: () => number = () => performance.now(), workMs = WORK_MS): Pauses {
  let since = nowMs();
  return {
    take: () => {
      if (nowMs() - since < workMs) return undefined;
      return nextTurn().then(() => {
        since = nowMs();
      });
    },
  };
}
