import type { JsonObject } from "@longhaul/conversation";

/** What is kept of one response: what was new in its input, and its output. */
interface KeptResponse {
  readonly items: readonly JsonObject[];
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
  findItem(owner: string, id: string): JsonObject | undefined;
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
  const items = new Map<string, JsonObject>();
  let bytes = 0;

  function forget(key: string, entry: Entry): void {
    entries.delete(key);
    bytes -= entry.bytes;
    for (const { id } of entry.items) if (typeof id === "string") items.delete(keyOf(entry.owner, id));
  }

  function forgetOld(): void {
    for (const [key, entry] of entries) {
      if (entry.endsAtMs > nowMs() && entries.size <= maxResponses && bytes <= maxBytes) return;
      forget(key, entry);
    }
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
      const before = entries.get(keyOf(owner, id));
      if (before !== undefined) forget(keyOf(owner, id), before);
      entries.set(keyOf(owner, id), { ...response, owner, endsAtMs: nowMs() + maxAgeMs });
      bytes += response.bytes;
      for (const item of response.items) if (typeof item.id === "string") items.set(keyOf(owner, item.id), item);
      forgetOld();
    },
    history: (owner, id) => {
      const parts: (readonly JsonObject[])[] = [];
      for (let next: string | undefined = id; next !== undefined; ) {
        const entry: Entry | undefined = use(owner, next);
        if (entry === undefined) return undefined;
        parts.unshift(entry.items);
        next = entry.previous;
      }
      return parts.flat();
    },
    findItem: (owner, id) => {
      forgetOld();
      return items.get(keyOf(owner, id));
    },
  };
}

function keyOf(owner: string, id: string): string {
  return `${owner}/${id}`;
}
