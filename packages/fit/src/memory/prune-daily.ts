import type { Epochs, Leases } from "@longhaul/store";
import { DAY_MS, everyDay } from "../threads/timing.ts";

/** A conversation without requests for this long is over. */
const UNUSED_MS = 30 * DAY_MS;
/** Size limit of all epochs together. */
const MAX_BYTES = 1024 ** 3;

interface Pruned {
  readonly epochs: Pick<Epochs, "prune">;
  readonly leases: Pick<Leases, "prune">;
}

/**
 * Prunes epochs that were unused for a month, epochs over a gibibyte in total, and leases of dead gateways: now, and then daily until the
 * returned function is called.
 */
export async function pruneDaily({ epochs, leases }: Pruned, nowMs: () => number): Promise<() => void> {
  const prune = async () => {
    await epochs.prune(nowMs() - UNUSED_MS, MAX_BYTES);
    await leases.prune(nowMs() - DAY_MS);
  };
  await prune();
  return everyDay(() => void prune());
}
