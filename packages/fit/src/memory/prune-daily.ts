import type { Epochs, Fronts, Leases } from "@longhaul/store";
import { MAX_STORED_BYTES } from "../history/message-memory.ts";
import { DAY_MS, everyDay } from "../threads/timing.ts";

/** A conversation without requests for this long is over. */
const UNUSED_MS = 30 * DAY_MS;
/** Size limit of all epochs together. */
const MAX_BYTES = 1024 ** 3;
/** A front that is gone costs one reading of the conversation. */
const FRONT_LIFETIME_MS = 7 * DAY_MS;

interface Pruned {
  readonly epochs: Pick<Epochs, "prune">;
  readonly fronts: Pick<Fronts, "prune">;
  readonly leases: Pick<Leases, "prune">;
}

/**
 * Prunes epochs that were unused for a month, epochs over a gibibyte in total, fronts of last week and leases of dead gateways: now, and
 * then daily until the returned function is called.
 */
export async function pruneDaily({ epochs, fronts, leases }: Pruned, nowMs: () => number): Promise<() => void> {
  const prune = async () => {
    await epochs.prune(nowMs() - UNUSED_MS, MAX_BYTES);
    await fronts.prune(nowMs() - FRONT_LIFETIME_MS, MAX_STORED_BYTES);
    await leases.prune(nowMs() - DAY_MS);
  };
  await prune();
  return everyDay(() => void prune());
}
