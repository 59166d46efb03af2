import { setTimeout as wait } from "node:timers/promises";

const LIMIT_MS = 1_000;

/** Waits for connections to close, but not for a server that does not answer any more. */
export async function closing(end: Promise<unknown>): Promise<void> {
  const late = new AbortController();
  const ended = end.catch(() => {}).finally(() => late.abort());
  await Promise.race([ended, wait(LIMIT_MS, undefined, { signal: late.signal }).catch(() => {})]);
}
