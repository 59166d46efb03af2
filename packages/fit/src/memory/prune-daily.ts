import type { Epochs, Leases } from "@longhaul/store";
import { DAY_MS, everyDay } from "../threads/timing.ts";

/** A conversation that nobody went on with for so long is over. */
const UNUSED_MS = 30 * DAY_MS;
/** All of them together. */
const MAX_BYTES = 1024 ** 3;

/** What is pruned. */
interface Pruned {
  readonly epochs: Pick<Epochs, "prune">;
  readonly leases: Pick<Leases, "prune">;
}

/**
 * Forgets epochs that were not used for a month, what is over a gibibyte in all, and leases of gateways that died with them: now, and then
 * daily until it is stopped by what is returned.
 */
export async function pruneDaily({ epochs, leases }: Pruned, nowMs: () => number): Promise<() => void> {
  const prune = async () => {
    await epochs.prune(nowMs() - UNUSED_MS, MAX_BYTES);
    await leases.prune(nowMs() - DAY_MS);
  };
  await prune();
  return everyDay(() => void prune());
}
