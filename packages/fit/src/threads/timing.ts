import { setImmediate as nextTurn } from "node:timers/promises";
import type { Steps } from "@longhaul/wire";

/** Yields the thread to other work from time to time during a long computation. */
export interface Pauses {
  /** Returns undefined, or, after long work, a promise that resolves when other work had its turn. */
  take(): Promise<void> | undefined;
}

/** Delays a stream's next chunk by at most this long. */
const WORK_MS = 8;

/** Starts measuring the time. */
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

/** Runs all steps, with pauses for other work. */
export async function finishPaced<Result>(steps: Steps<Result>, pauses = makePauses()): Promise<Result> {
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) {
    const pause = pauses.take();
    if (pause !== undefined) await pause;
  }
  return step.value;
}

/** Computes a value on first use and caches it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returned for a result that is not in time. */
export const LATE: unique symbol = Symbol("late");

/** Returns a promise's result if it is in time, else `LATE`. A late rejection is ignored. */
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

/** Runs a function once a day, first after a day, until the returned function is called. Does not keep the process alive. */
export function everyDay(act: () => void): () => void {
  const timer = setInterval(act, DAY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
