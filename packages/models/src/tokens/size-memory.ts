import type { Hash } from "@longhaul/conversation";
import type { Size } from "./measure.ts";

/** Remembers what has been measured by one family's rules, so that a longer conversation costs what is new in it. */
export interface SizeMemory {
  /** The sizes of `thing`: remembered, else what `measure` says. `spell` gives all that the sizes depend on. */
  recall(thing: object, spell: (hash: Hash) => string, measure: () => readonly Size[]): readonly Size[];
  /** The sizes remembered under what `spell` gave. */
  find(spelled: string): readonly Size[] | undefined;
  /** Remembers the sizes of `thing` itself. */
  put(thing: object, sizes: readonly Size[]): void;
  /** Remembers sizes under what `spell` gives. */
  putSpelled(spelled: string, sizes: readonly Size[]): void;
}

/** How much is remembered, and how. */
export interface SizeMemoryOptions {
  /** Knows equal messages again though they are other objects, as after each parsing of a request. Without it only the same object is. */
  readonly hash?: Hash;
  /** How many blocks are remembered by their messages' hashes; what was unused for longest goes first. @default 50,000 */
  readonly maxBlocks?: number;
}

/** A hundred long sessions; about 10 MB. */
const DEFAULT_MAX_BLOCKS = 50_000;

/** Makes a memory. One memory serves one family: the same message has other sizes in another. */
export function makeSizeMemory({ hash, maxBlocks = DEFAULT_MAX_BLOCKS }: SizeMemoryOptions = {}): SizeMemory {
  const byIdentity = new WeakMap<object, readonly Size[]>();
  /** A map keeps the order in which its keys were put in: the first is the one unused for longest. */
  const byHash = new Map<string, readonly Size[]>();
  let blocks = 0;

  function find(spelled: string): readonly Size[] | undefined {
    const sizes = byHash.get(spelled);
    if (sizes === undefined) return undefined;
    byHash.delete(spelled);
    byHash.set(spelled, sizes);
    return sizes;
  }

  function keep(spelled: string, sizes: readonly Size[]): readonly Size[] {
    byHash.set(spelled, sizes);
    blocks += roomOf(sizes);
    for (const [oldest, its] of byHash) {
      if (blocks <= maxBlocks) break;
      byHash.delete(oldest);
      blocks -= roomOf(its);
    }
    return sizes;
  }

  function recallByHash(spelled: string, measure: () => readonly Size[]): readonly Size[] {
    return find(spelled) ?? keep(spelled, measure());
  }

  return {
    find,
    put: (thing, sizes) => void byIdentity.set(thing, sizes),
    putSpelled: (spelled, sizes) => {
      if (find(spelled) === undefined) keep(spelled, sizes);
    },
    recall(thing, spell, measure) {
      const known = byIdentity.get(thing);
      if (known !== undefined) return known;
      const sizes = hash === undefined ? measure() : recallByHash(spell(hash), measure);
      byIdentity.set(thing, sizes);
      return sizes;
    },
  };
}

/** A message without blocks takes room too. */
function roomOf(sizes: readonly Size[]): number {
  return Math.max(1, sizes.length);
}
