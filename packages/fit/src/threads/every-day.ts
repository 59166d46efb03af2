/** In milliseconds. */
export const DAY_MS = 24 * 60 * 60 * 1_000;

/** Does something once a day, for the first time in a day, until the result is called. No process is kept alive for it. */
export function everyDay(act: () => void): () => void {
  const timer = setInterval(act, DAY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
