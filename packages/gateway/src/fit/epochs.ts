import { Latest } from "@longhaul/conversation";
import type { Epoch } from "@longhaul/store";
import type { TolerantStore } from "./tolerant-store.ts";

/** The epochs of conversations under way, in memory before the store. */
export interface EpochShelf {
  /** Those for prefixes of a conversation that are known here, the one with the most messages first. */
  known(scope: string, prefixes: readonly string[]): readonly Epoch[];
  /** The same, but asks the store too. */
  find(scope: string, prefixes: readonly string[]): Promise<readonly Epoch[]>;
  /** Known here once it is in the store, or cannot be. */
  put(epoch: Epoch): Promise<void>;
  remove(epoch: Epoch): Promise<void>;
  /** Those of a session are no longer known here; the store is for whoever asks for this to clear. */
  forget(tenant: string, session: string): void;
  /** Nothing is known here; the store is asked for it again. */
  clear(): void;
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
  let shelf = new Shelf(maxEpochs, nowMs);
  const known = (scope: string, prefixes: readonly string[]): readonly Epoch[] => {
    const { epochs, due } = shelf.take(scope, prefixes);
    if (due.length > 0) void store.epochs.find(scope, due);
    return epochs;
  };
  const find = async (scope: string, prefixes: readonly string[]) => {
    for (const epoch of await store.epochs.find(scope, prefixes)) shelf.keep(epoch);
    return known(scope, prefixes);
  };
  return {
    known,
    find,
    put: async (epoch) => {
      await store.epochs.put(epoch);
      shelf.keep(epoch);
    },
    remove: async (epoch) => {
      shelf.remove(epoch);
      await store.epochs.remove(epoch.scope, epoch.prefix);
    },
    clear: () => {
      shelf = new Shelf(maxEpochs, nowMs);
    },
    forget: (tenant, session) => shelf.forget((epoch) => epoch.tenant === tenant && epoch.session === session),
  };
}

/** An epoch, and when the store last marked it as used. */
interface Shelved {
  readonly epoch: Epoch;
  readonly markedAtMs: number;
}

/** The epochs in memory. */
class Shelf {
  /** By prefix, then by scope: a conversation has many prefixes, and to join each with the scope takes longer than all the rest. */
  readonly #shelved: Latest<ReadonlyMap<string, Shelved>>;
  readonly #nowMs: () => number;

  constructor(maxPrefixes: number, nowMs: () => number) {
    this.#shelved = new Latest(maxPrefixes);
    this.#nowMs = nowMs;
  }

  keep(epoch: Epoch): void {
    const before = this.#shelved.get(epoch.prefix)?.get(epoch.scope)?.epoch;
    if (epoch.isStandIn && before?.isStandIn === false) return;
    this.#put({ epoch, markedAtMs: this.#nowMs() });
  }

  remove({ scope, prefix }: Epoch): void {
    const others = [...(this.#shelved.get(prefix) ?? [])].filter(([each]) => each !== scope);
    if (others.length === 0) this.#shelved.delete(prefix);
    else this.#shelved.put(prefix, new Map(others));
  }

  forget(isMeant: (epoch: Epoch) => boolean): void {
    const all = [...this.#shelved.values()].flatMap((byScope) => [...byScope.values()]);
    for (const { epoch } of all) if (isMeant(epoch)) this.remove(epoch);
  }

  /** Those for these prefixes, the last prefix first, and the prefixes that the store is to mark as used. */
  take(scope: string, prefixes: readonly string[]): { epochs: readonly Epoch[]; due: readonly string[] } {
    const found = prefixes.toReversed().flatMap((prefix) => this.#shelved.get(prefix)?.get(scope) ?? []);
    const now = this.#nowMs();
    const isDue = ({ markedAtMs }: Shelved) => now - markedAtMs >= MARK_AGAIN_MS;
    for (const each of found) this.#put(isDue(each) ? { ...each, markedAtMs: now } : each);
    return { epochs: found.map(({ epoch }) => epoch), due: found.filter(isDue).map(({ epoch }) => epoch.prefix) };
  }

  #put(shelved: Shelved): void {
    const { scope, prefix } = shelved.epoch;
    this.#shelved.put(prefix, new Map(this.#shelved.get(prefix)).set(scope, shelved));
  }
}
