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

/** Works a value out when it is first asked for, and then remembers it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** What stands for something that did not come in time. */
export const LATE: unique symbol = Symbol("late");

/** What a promise comes to, if it does so in time; else `LATE`, whatever becomes of it. */
export async function inTime<T>(limitMs: number, asked: Promise<T>): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, limitMs, LATE);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** In milliseconds. */
export const DAY_MS = 24 * 60 * 60 * 1_000;

/** Does something once a day, for the first time in a day, until the result is called. No process is kept alive for it. */
export function everyDay(act: () => void): () => void {
  const timer = setInterval(act, DAY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
