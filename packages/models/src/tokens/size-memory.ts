import type { Hash } from "@longhaul/conversation";
import type { Size } from "./measure.ts";

/** Remembers what has been measured by one family's rules, so that a longer conversation costs what is new in it. */
export interface SizeMemory {
  /** The sizes of `thing`: remembered, else what `measure` says. `spell` gives all that the sizes depend on. */
  recall(thing: object, spell: (hash: Hash) => string, measure: () => readonly Size[]): readonly Size[];
  /** The sizes remembered under what `spell` gave. */
  find(spelled: string): readonly Size[] | undefined;
}

/** How much is remembered, and how. */
export interface SizeMemoryOptions {
  /** Knows equal messages again though they are other objects, as after each parsing of a request. Without it only the same object is. */
  readonly hash?: Hash;
  /** How many are remembered by their hash; the one unused for longest goes first. @default 20,000 */
  readonly maxRemembered?: number;
}

/** Some two hundred long sessions; about 5 MB. */
const DEFAULT_MAX_REMEMBERED = 20_000;

/** Makes a memory. One memory serves one family: the same message has other sizes in another. */
export function makeSizeMemory({ hash, maxRemembered = DEFAULT_MAX_REMEMBERED }: SizeMemoryOptions = {}): SizeMemory {
  const byIdentity = new WeakMap<object, readonly Size[]>();
  const byHash = new Map<string, readonly Size[]>();

  function find(spelled: string): readonly Size[] | undefined {
    const sizes = byHash.get(spelled);
    if (sizes === undefined) return undefined;
    byHash.delete(spelled);
    byHash.set(spelled, sizes);
    return sizes;
  }

  function keep(spelled: string, sizes: readonly Size[]): readonly Size[] {
    byHash.set(spelled, sizes);
    if (byHash.size > maxRemembered) forgetOldest(byHash);
    return sizes;
  }

  function recallByHash(spelled: string, measure: () => readonly Size[]): readonly Size[] {
    return find(spelled) ?? keep(spelled, measure());
  }

  return {
    find,
    recall(thing, spell, measure) {
      const known = byIdentity.get(thing);
      if (known !== undefined) return known;
      const sizes = hash === undefined ? measure() : recallByHash(spell(hash), measure);
      byIdentity.set(thing, sizes);
      return sizes;
    },
  };
}

/** A map keeps the order in which its keys were put in. */
function forgetOldest(map: Map<string, unknown>): void {
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}
