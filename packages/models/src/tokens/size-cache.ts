import type { Hash } from "@longhaul/conversation";
import type { Size } from "./measure.ts";

/** Remembers what has been measured by one family's rules, so that a longer conversation costs what is new in it. */
export interface SizeCache {
  /** The sizes of `thing`: remembered, else what `measure` says. `spell` gives all that the sizes depend on. */
  get(thing: object, keyOf: (hash: Hash) => string, measure: () => readonly Size[]): readonly Size[];
  /** The sizes remembered under what `spell` gave. */
  find(key: string): readonly Size[] | undefined;
  /** Remembers the sizes of `thing` itself. */
  set(thing: object, sizes: readonly Size[]): void;
  /** Remembers sizes under what `spell` gives. */
  setByKey(key: string, sizes: readonly Size[]): void;
}

/** How much is remembered, and how. */
export interface SizeCacheOptions {
  /** Knows equal messages again though they are other objects, as after each parsing of a request. Without it only the same object is. */
  readonly hash?: Hash;
  /** How many blocks are remembered by their messages' hashes; what was unused for longest goes first. @default 50,000 */
  readonly maxBlocks?: number;
}

/** A hundred long sessions; about 10 MB. */
const DEFAULT_MAX_BLOCKS = 50_000;

/** Makes a memory. One memory serves one family: the same message has other sizes in another. */
export function makeSizeCache({ hash, maxBlocks = DEFAULT_MAX_BLOCKS }: SizeCacheOptions = {}): SizeCache {
  const byIdentity = new WeakMap<object, readonly Size[]>();
  /** A map keeps the order in which its keys were put in: the first is the one unused for longest. */
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

  function recallByHash(key: string, measure: () => readonly Size[]): readonly Size[] {
    return find(key) ?? keep(key, measure());
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
      const sizes = hash === undefined ? measure() : recallByHash(keyOf(hash), measure);
      byIdentity.set(thing, sizes);
      return sizes;
    },
  };
}

/** A message without blocks takes room too. */
function roomOf(sizes: readonly Size[]): number {
  return Math.max(1, sizes.length);
}
