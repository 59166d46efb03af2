import type { Epochs } from "@longhaul/store";
import { DAY_MS, everyDay } from "../every-day.ts";

/** A conversation that nobody went on with for so long is over. */
const UNUSED_MS = 30 * DAY_MS;
/** All of them together. */
const MAX_BYTES = 1024 ** 3;

/** Forgets epochs that were not used for a month, and what is over a gibibyte in all: now, and then daily until it is stopped by what is returned. */
export async function pruneDaily(epochs: Pick<Epochs, "prune">, nowMs: () => number): Promise<() => void> {
  const prune = () => epochs.prune(nowMs() - UNUSED_MS, MAX_BYTES);
  await prune();
  return everyDay(() => void prune());
}
