import type { Epoch } from "@longhaul/store";
import type { TolerantStore } from "./tolerant-store.ts";

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

/** The store forgets what nobody asks it for, so that it is asked now and then for what is known here. */
const MARK_AGAIN_MS = 60 * 60 * 1_000;

/** What a shelf takes from outside. */
export interface ShelfOptions {
  readonly store: Pick<TolerantStore, "epochs">;
  readonly nowMs: () => number;
  /** @default 5,000 */
  readonly maxEpochs?: number;
}

/** Opens a shelf over a store. What was not used for the longest time is forgotten here, not there. */
export function makeEpochShelf({ store, nowMs, maxEpochs = MAX_EPOCHS }: ShelfOptions): EpochShelf {
  const shelf = new Map<string, Shelved>();
  const asked = new Set<string>();
  /** The same by prefix, for each scope: there are many prefixes to look for. */
  const byScope = new Map<string, Map<string, Shelved>>();
  const forget = (key: string) => {
    const { scope, prefix } = shelf.get(key)?.epoch ?? { scope: "", prefix: "" };
    const here = byScope.get(scope);
    here?.delete(prefix);
    if (here?.size === 0) byScope.delete(scope);
    shelf.delete(key);
  };
  const shelve = (shelved: Shelved) => {
    const { scope, prefix } = shelved.epoch;
    const key = keyOf(shelved.epoch);
    shelf.delete(key);
    shelf.set(key, shelved);
    byScope.set(scope, (byScope.get(scope) ?? new Map()).set(prefix, shelved));
    const oldest = shelf.size > maxEpochs ? shelf.keys().next().value : undefined;
    if (oldest !== undefined) forget(oldest);
  };
  const keep = (epoch: Epoch) => {
    const before = shelf.get(keyOf(epoch))?.epoch;
    if (epoch.isStandIn && before?.isStandIn === false) return;
    shelve({ epoch, markedAtMs: nowMs() });
  };
  const known = (scope: string, prefixes: readonly string[]): readonly Epoch[] => {
    const found: Shelved[] = [];
    const here = byScope.get(scope);
    for (let last = prefixes.length - 1; last >= 0 && here !== undefined; last--) {
      const shelved = here.get(prefixes[last] ?? "");
      if (shelved !== undefined) found.push(shelved);
    }
    const now = nowMs();
    const due = found.filter(({ markedAtMs }) => now - markedAtMs >= MARK_AGAIN_MS).map(({ epoch }) => epoch.prefix);
    for (const { epoch, markedAtMs } of found) {
      shelve({ epoch, markedAtMs: due.includes(epoch.prefix) ? now : markedAtMs });
    }
    if (due.length > 0) void store.epochs.find(scope, due);
    return found.map(({ epoch }) => epoch);
  };
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
      keep(epoch);
      await store.epochs.put(epoch);
    },
    remove: async (epoch) => {
      forget(keyOf(epoch));
      await store.epochs.remove(epoch.scope, epoch.prefix);
    },
  };
}

/** An epoch, and when the store last marked it as used. */
interface Shelved {
  readonly epoch: Epoch;
  readonly markedAtMs: number;
}

function keyOf({ scope, prefix }: Pick<Epoch, "scope" | "prefix">): string {
  return `${scope}/${prefix}`;
}
