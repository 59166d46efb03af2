import type { JsonObject } from "@longhaul/conversation";

/** What is kept of one response. */
export interface KeptResponse {
  /** As the client got it. */
  readonly response: JsonObject;
  /** What was new in its input. */
  readonly input: readonly JsonObject[];
  readonly output: readonly JsonObject[];
  /** The response that it goes on from. */
  readonly previous?: string;
  /** How much it counts. */
  readonly bytes: number;
}

/** Responses that clients may refer to by id. Each has an owner, and nobody else finds it. */
export interface KeptResponses {
  keep(owner: string, id: string, response: KeptResponse): void;
  /** Everything that was said up to and with a response; undefined where any of it is not kept, or no longer. */
  history(owner: string, id: string): readonly JsonObject[] | undefined;
  find(owner: string, id: string): KeptResponse | undefined;
  findItem(owner: string, id: string): JsonObject | undefined;
  /** Keeps a response no longer. */
  remove(owner: string, id: string): void;
}

/** How much is kept, and for how long after it was last used. */
export interface KeepOptions {
  readonly nowMs: () => number;
  readonly maxResponses?: number;
  readonly maxBytes?: number;
  readonly maxAgeMs?: number;
}

interface Entry extends KeptResponse {
  readonly owner: string;
  readonly endsAtMs: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const DEFAULT_MAX_BYTES = 128 * 1024 * 1024;

/** Makes an empty memory of responses. What was unused for longest goes first. */
export function makeKeptResponses(options: KeepOptions): KeptResponses {
  const { nowMs, maxResponses = 10_000, maxBytes = DEFAULT_MAX_BYTES, maxAgeMs = DAY_MS } = options;
  /** A map keeps the order in which its keys were put in: the first is the one unused for longest. */
  const entries = new Map<string, Entry>();
  /** Items by id, with the number of responses that have them: a client may send one again. */
  const items = new Map<string, { readonly item: JsonObject; readonly uses: number }>();
  let bytes = 0;

  function count(entry: Entry, more: 1 | -1): void {
    bytes += more * entry.bytes;
    for (const item of itemsOf(entry)) {
      if (typeof item.id !== "string") continue;
      const key = keyOf(entry.owner, item.id);
      const uses = (items.get(key)?.uses ?? 0) + more;
      if (uses === 0) items.delete(key);
      else items.set(key, { item, uses });
    }
  }

  function forget(key: string, entry: Entry): void {
    entries.delete(key);
    count(entry, -1);
  }

  function forgetOld(): void {
    for (const [key, entry] of entries) {
      if (entry.endsAtMs > nowMs() && entries.size <= maxResponses && bytes <= maxBytes) return;
      forget(key, entry);
    }
  }

  function remove(owner: string, id: string): void {
    const entry = entries.get(keyOf(owner, id));
    if (entry !== undefined) forget(keyOf(owner, id), entry);
  }

  /** The entry, which is now the one used last. */
  function use(owner: string, id: string): Entry | undefined {
    forgetOld();
    const key = keyOf(owner, id);
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    entries.delete(key);
    entries.set(key, { ...entry, endsAtMs: nowMs() + maxAgeMs });
    return entry;
  }

  return {
    keep: (owner, id, response) => {
      remove(owner, id);
      const entry = { ...response, owner, endsAtMs: nowMs() + maxAgeMs };
      entries.set(keyOf(owner, id), entry);
      count(entry, 1);
      forgetOld();
    },
    history: (owner, id) => {
      const parts: (readonly JsonObject[])[] = [];
      for (let next: string | undefined = id; next !== undefined; ) {
        const entry: Entry | undefined = use(owner, next);
        if (entry === undefined) return undefined;
        parts.unshift(itemsOf(entry));
        next = entry.previous;
      }
      return parts.flat();
    },
    find: use,
    findItem: (owner, id) => {
      forgetOld();
      return items.get(keyOf(owner, id))?.item;
    },
    remove,
  };
}

function itemsOf({ input, output }: KeptResponse): readonly JsonObject[] {
  return [...input, ...output];
}

function keyOf(owner: string, id: string): string {
  return `${owner}/${id}`;
}
