import type { Epoch, Store } from "@longhaul/store";

/** The epochs of conversations under way, in memory before the store. */
export interface EpochShelf {
  /** Those for prefixes of a conversation that are known here, the one with the most messages first. */
  known(scope: string, prefixes: readonly string[]): readonly Epoch[];
  /** The same, but asks the store too. */
  find(scope: string, prefixes: readonly string[]): Promise<readonly Epoch[]>;
  /** The same, but asks the store only where this conversation was never asked for. */
  findOnce(scope: string, prefixes: readonly string[]): Promise<readonly Epoch[]>;
  put(epoch: Epoch): Promise<void>;
  remove(epoch: Epoch): Promise<void>;
}

/** An epoch takes a few KB: its summary, and some 100 bytes for each edited message. */
const MAX_EPOCHS = 5_000;

/** Opens a shelf over a store. What was not used for the longest time is forgotten here, not there. */
export function makeEpochShelf(store: Store, maxEpochs = MAX_EPOCHS): EpochShelf {
  const shelf = new Map<string, Epoch>();
  const keep = (epoch: Epoch) => {
    const key = keyOf(epoch);
    shelf.delete(key);
    shelf.set(key, epoch);
    const oldest = shelf.size > maxEpochs ? shelf.keys().next().value : undefined;
    if (oldest !== undefined) shelf.delete(oldest);
  };
  const known = (scope: string, prefixes: readonly string[]): readonly Epoch[] => {
    const found: Epoch[] = [];
    for (let last = prefixes.length - 1; last >= 0 && shelf.size > 0; last--) {
      const epoch = shelf.get(`${scope}/${prefixes[last]}`);
      if (epoch !== undefined) found.push(epoch);
    }
    for (const epoch of found) keep(epoch);
    return found;
  };
  const asked = new Set<string>();
  const find = async (scope: string, prefixes: readonly string[]) => {
    if (asked.size >= maxEpochs) asked.clear();
    asked.add(`${scope}/${prefixes[0]}`);
    for (const epoch of await store.epochs.find(scope, prefixes)) keep(epoch);
    return known(scope, prefixes);
  };
  return {
    known,
    find,
    findOnce: async (scope, prefixes) =>
      asked.has(`${scope}/${prefixes[0]}`) ? known(scope, prefixes) : await find(scope, prefixes),
    put: async (epoch) => {
      const before = shelf.get(keyOf(epoch));
      if (!epoch.isStandIn || before === undefined || before.isStandIn) keep(epoch);
      await store.epochs.put(epoch);
    },
    remove: async (epoch) => {
      shelf.delete(keyOf(epoch));
      await store.epochs.remove(epoch.scope, epoch.prefix);
    },
  };
}

function keyOf({ scope, prefix }: Pick<Epoch, "scope" | "prefix">): string {
  return `${scope}/${prefix}`;
}
