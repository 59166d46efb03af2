import { LruMap } from "@longhaul/conversation/advanced";
import type { Epoch } from "@longhaul/store";
import { boundPrefixes, mayReuse, type Seeker } from "../history/evidence.ts";
import type { TolerantStore } from "./tolerant-store.ts";

/** The epochs of active conversations, cached in front of the store. */
export interface EpochCache {
  /** Returns the cached epochs that a request may reuse, the one with the most messages first. */
  known(seeker: Seeker): readonly Epoch[];
  /** The same, but also asks the store. */
  find(seeker: Seeker): Promise<readonly Epoch[]>;
  /** Caches the epoch after it is stored, or if it cannot be. */
  put(epoch: Epoch): Promise<void>;
  remove(epoch: Epoch): Promise<void>;
  /** Removes the cached epochs of a session. The caller clears the store. */
  forget(tenant: string, session: string): void;
  /** Empties the cache; the store is asked again. */
  clear(): void;
}

/**
 * An epoch takes a few KB: its summary, about 100 bytes for each edited message, and about 40 for each tool result. It may have two keys.
 * A larger one counts as several.
 */
const MAX_EPOCHS = 10_000;
const EPOCH_CHARS = 10_000;

/** The store prunes unused epochs, so it is asked for cached ones from time to time. */
const MARK_AGAIN_MS = 60 * 60 * 1_000;

export interface EpochCacheOptions {
  readonly store: Pick<TolerantStore, "epochs">;
  readonly nowMs: () => number;
  readonly maxEpochs?: number;
}

/** Makes a cache over a store. Eviction affects only the cache. */
export function makeEpochCache({ store, nowMs, maxEpochs = MAX_EPOCHS }: EpochCacheOptions): EpochCache {
  let cache = new LruEpochs(maxEpochs, nowMs);
  const known = (seeker: Seeker): readonly Epoch[] => {
    const { epochs, due } = cache.take(seeker);
    if (due.length > 0) void store.epochs.find(seeker.scope, due);
    return epochs;
  };
  const find = async (seeker: Seeker) => {
    const { scope, history } = seeker;
    for (const epoch of await store.epochs.find(scope, history.prefixes(), boundPrefixes(seeker))) cache.keep(epoch);
    return known(seeker);
  };
  return {
    known,
    find,
    put: async (epoch) => {
      await store.epochs.put(epoch);
      cache.keep(epoch);
    },
    remove: async (epoch) => {
      cache.remove(epoch);
      await store.epochs.remove(epoch.scope, epoch.prefix);
    },
    clear: () => {
      cache = new LruEpochs(maxEpochs, nowMs);
    },
    forget: (tenant, session) => cache.forget((epoch) => epoch.tenant === tenant && epoch.session === session),
  };
}

/** An epoch, and when the store last marked it as used. */
interface CachedEpoch {
  readonly epoch: Epoch;
  readonly markedAtMs: number;
}

class LruEpochs {
  /**
   * By prefix and by bound hash, then by scope: a conversation has many prefixes, and joining each with the scope would take longer than
   * everything else.
   */
  readonly #cached: LruMap<ReadonlyMap<string, CachedEpoch>>;
  readonly #nowMs: () => number;

  constructor(maxPrefixes: number, nowMs: () => number) {
    this.#cached = new LruMap(maxPrefixes, weightOf);
    this.#nowMs = nowMs;
  }

  keep(epoch: Epoch): void {
    for (const key of keysOf(epoch)) {
      const before = this.#cached.get(key)?.get(epoch.scope)?.epoch;
      if (before !== undefined && !givesWay(before, epoch, key)) continue;
      this.#put(key, { epoch, markedAtMs: this.#nowMs() });
    }
  }

  remove(epoch: Epoch): void {
    for (const key of keysOf(epoch)) {
      const byScope = this.#cached.get(key);
      if (byScope?.get(epoch.scope)?.epoch.prefix !== epoch.prefix) continue;
      const others = [...byScope].filter(([scope]) => scope !== epoch.scope);
      if (others.length === 0) this.#cached.delete(key);
      else this.#cached.set(key, new Map(others));
    }
  }

  forget(isMeant: (epoch: Epoch) => boolean): void {
    const all = [...this.#cached.values()].flatMap((byScope) => [...byScope.values()]);
    for (const { epoch } of all) if (isMeant(epoch)) this.remove(epoch);
  }

  /**
   * Returns the epochs that a request may reuse, the one with the most messages first, and the prefixes that the store should mark as used.
   */
  take(seeker: Seeker): { epochs: readonly Epoch[]; due: readonly string[] } {
    const found = this.#reusable(seeker);
    const now = this.#nowMs();
    const isDue = ({ markedAtMs }: CachedEpoch) => now - markedAtMs >= MARK_AGAIN_MS;
    for (const each of found) {
      const marked = isDue(each) ? { ...each, markedAtMs: now } : each;
      for (const key of keysOf(each.epoch)) {
        if (this.#cached.get(key)?.get(seeker.scope)?.epoch === each.epoch) this.#put(key, marked);
      }
    }
    return { epochs: found.map(({ epoch }) => epoch), due: found.filter(isDue).map(({ epoch }) => epoch.prefix) };
  }

  #reusable(seeker: Seeker): readonly CachedEpoch[] {
    if (this.#cached.size === 0) return [];
    const prefixes = seeker.history.prefixes();
    const bound = boundPrefixes(seeker);
    const found = new Map<Epoch, CachedEpoch>();
    for (let last = prefixes.length - 1; last >= 0; last--) {
      for (const key of [prefixes[last], bound[last]]) {
        const cached = key === undefined ? undefined : this.#cached.get(key)?.get(seeker.scope);
        if (cached !== undefined && mayReuse(cached.epoch, seeker)) found.set(cached.epoch, cached);
      }
    }
    return [...found.values()].toSorted((a, b) => b.epoch.projection.messages - a.epoch.projection.messages);
  }

  #put(key: string, cached: CachedEpoch): void {
    this.#cached.set(key, new Map(this.#cached.get(key)).set(cached.epoch.scope, cached));
  }
}

function weightOf(byScope: ReadonlyMap<string, CachedEpoch>): number {
  let sum = 0;
  for (const { epoch } of byScope.values()) sum += epochWeight(epoch);
  return sum;
}

const weights = new WeakMap<Epoch, number>();

function epochWeight(epoch: Epoch): number {
  const known = weights.get(epoch);
  if (known !== undefined) return known;
  const { projection, evidence } = epoch;
  const weight = Math.ceil((JSON.stringify(projection).length + JSON.stringify(evidence).length) / EPOCH_CHARS);
  weights.set(epoch, weight);
  return weight;
}

function keysOf({ prefix, bound }: Epoch): readonly string[] {
  return bound === "" ? [prefix] : [prefix, bound];
}

/** A placeholder replaces only a placeholder. A conversation's hash leads to the latest of its epochs. */
function givesWay(before: Epoch, epoch: Epoch, key: string): boolean {
  if (epoch.isPlaceholder && !before.isPlaceholder) return false;
  return key === epoch.prefix || epoch.madeAtMs >= before.madeAtMs || (before.isPlaceholder && !epoch.isPlaceholder);
}

/** Names an epoch's current version: one that replaces it has another name. */
export function epochName({ scope, prefix, madeAtMs }: Epoch): string {
  return `${scope}/${prefix}/${madeAtMs}`;
}

/** Names the conversation as the client sends it, in whatever form it goes upstream. */
export function originalName(scope: string): string {
  return `${scope}/original`;
}

/** Names the form that a report is filed under: another form of the same conversation has another size. */
export function formName(scope: string, epoch: Epoch | undefined): string {
  return epoch === undefined ? scope : epochName(epoch);
}
