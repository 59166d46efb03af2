import type { Hash } from "@longhaul/conversation";
import type { Size } from "./measure.ts";

/** Cache of sizes measured by one family's rules, so that a growing conversation costs only its new messages. */
export interface SizeCache {
  /** Returns the cached sizes of `thing`, or measures it. `keyOf` returns everything that the sizes depend on. */
  get(thing: object, keyOf: (hash: Hash) => string, measure: () => readonly Size[]): readonly Size[];
  /** Returns the sizes cached under a key. */
  find(key: string): readonly Size[] | undefined;
  /** Caches the sizes of `thing` by identity. */
  set(thing: object, sizes: readonly Size[]): void;
  /** Caches sizes under a key. */
  setByKey(key: string, sizes: readonly Size[]): void;
}

/** Options of the cache. */
export interface SizeCacheOptions {
  /**
   * Recognizes equal messages that are different objects, as after parsing a request again. Without it, messages are recognized only by
   * identity.
   */
  readonly hash?: Hash;
  /** Maximum number of blocks cached by the hashes of their messages; the least recently used are evicted. @default 50,000 */
  readonly maxBlocks?: number;
}

/** A hundred long sessions; about 10 MB. */
const DEFAULT_MAX_BLOCKS = 50_000;

/** Creates a cache for one family: sizes differ between families. */
export function makeSizeCache({ hash, maxBlocks = DEFAULT_MAX_BLOCKS }: SizeCacheOptions = {}): SizeCache {
  const byIdentity = new WeakMap<object, readonly Size[]>();
  /** A map keeps its insertion order: the first key is the least recently used one. */
  const byHash = new Map<string, readonly Size[]>();
  let blocks = 0;

  function find(key: string): readonly Size[] | undefined {
    const sizes = byHash.get(key);
    if (sizes === undefined) return undefined;
    byHash.delete(key);
    byHash.set(key, sizes);
    return sizes;
  }

  function keep(key: string, sizes: readonly Size[]): readonly Size[] {
    byHash.set(key, sizes);
    blocks += roomOf(sizes);
    for (const [oldest, its] of byHash) {
      if (blocks <= maxBlocks) break;
      byHash.delete(oldest);
      blocks -= roomOf(its);
    }
    return sizes;
  }

  return {
    find,
    set: (thing, sizes) => void byIdentity.set(thing, sizes),
    setByKey: (key, sizes) => {
      if (find(key) === undefined) keep(key, sizes);
    },
    get(thing, keyOf, measure) {
      const known = byIdentity.get(thing);
      if (known !== undefined) return known;
      const key = hash && keyOf(hash);
      const sizes = key === undefined ? measure() : (find(key) ?? keep(key, measure()));
      byIdentity.set(thing, sizes);
      return sizes;
    },
  };
}

/** A message without blocks counts as one. */
function roomOf(sizes: readonly Size[]): number {
  return Math.max(1, sizes.length);
}
