import { type JsonObject, LruMap } from "@longhaul/conversation/advanced";

/** A stored response of the Responses API. */
export interface KeptResponse {
  /** The body that the client got. */
  readonly response: JsonObject;
  /** The new part of its input. */
  readonly input: readonly JsonObject[];
  readonly output: readonly JsonObject[];
  /** The id of the previous response. */
  readonly previous?: string;
  readonly bytes: number;
}

export interface KeepOptions {
  readonly nowMs: () => number;
  /** @default 10,000 */
  readonly maxResponses?: number;
  /** @default 128 MiB */
  readonly maxBytes?: number;
  /** Time since the last use. @default a day */
  readonly maxAgeMs?: number;
}

interface Entry extends KeptResponse {
  readonly owner: string;
  readonly endsAtMs: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const DEFAULT_MAX_BYTES = 128 * 1024 * 1024;

const DEFAULT_MAX_RESPONSES = 10_000;
/** Ids of responses at vendors, about 200 bytes each. */
const MAX_OWNED = 100_000;

/** Responses that clients may refer to by id, the least recently used evicted. Each is visible only to its owner. */
export class KeptResponses {
  readonly #limits: Required<KeepOptions>;
  /** In the order of last use: the first entry is the oldest. */
  readonly #entries = new Map<string, Entry>();
  /** Items by id, with the number of responses that contain them: a client may send an item again. */
  readonly #items = new Map<string, { readonly item: JsonObject; readonly uses: number }>();
  readonly #owned = new LruMap<true>(MAX_OWNED);
  #bytes = 0;

  constructor({ nowMs, maxResponses, maxBytes, maxAgeMs }: KeepOptions) {
    this.#limits = {
      nowMs,
      maxResponses: maxResponses ?? DEFAULT_MAX_RESPONSES,
      maxBytes: maxBytes ?? DEFAULT_MAX_BYTES,
      maxAgeMs: maxAgeMs ?? DAY_MS,
    };
  }

  keep(owner: string, id: string, response: KeptResponse): void {
    this.remove(owner, id);
    const entry = { ...response, owner, endsAtMs: this.#endsAtMs() };
    this.#entries.set(keyOf(owner, id), entry);
    this.#count(entry, 1);
    this.#forgetOld();
  }

  /** Returns all items up to and including a response; undefined if any of them is not stored. */
  history(owner: string, id: string): readonly JsonObject[] | undefined {
    const parts: (readonly JsonObject[])[] = [];
    for (let next: string | undefined = id; next !== undefined; ) {
      const entry = this.find(owner, next);
      if (entry === undefined) return undefined;
      parts.unshift(itemsOf(entry));
      next = entry.previous;
    }
    return parts.flat();
  }

  /** Returns a response, which is now the one used last. */
  find(owner: string, id: string): KeptResponse | undefined {
    this.#forgetOld();
    const key = keyOf(owner, id);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, { ...entry, endsAtMs: this.#endsAtMs() });
    return entry;
  }

  findItem(owner: string, id: string): JsonObject | undefined {
    this.#forgetOld();
    return this.#items.get(keyOf(owner, id))?.item;
  }

  remove(owner: string, id: string): void {
    const entry = this.#entries.get(keyOf(owner, id));
    if (entry !== undefined) this.#forget(keyOf(owner, id), entry);
  }

  /** Remembers that an owner got a response that its vendor stores. */
  own(owner: string, id: string): void {
    this.#owned.set(keyOf(owner, id), true);
  }

  /** Whether an owner got a response that its vendor stores. */
  owns(owner: string, id: string): boolean {
    return this.#owned.get(keyOf(owner, id)) === true;
  }

  #forgetOld(): void {
    const { nowMs, maxResponses, maxBytes } = this.#limits;
    for (const [key, entry] of this.#entries) {
      if (entry.endsAtMs > nowMs() && this.#entries.size <= maxResponses && this.#bytes <= maxBytes) return;
      this.#forget(key, entry);
    }
  }

  #forget(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#count(entry, -1);
  }

  #count(entry: Entry, more: 1 | -1): void {
    this.#bytes += more * entry.bytes;
    for (const item of itemsOf(entry)) {
      if (typeof item.id !== "string") continue;
      const key = keyOf(entry.owner, item.id);
      const uses = (this.#items.get(key)?.uses ?? 0) + more;
      if (uses === 0) this.#items.delete(key);
      else this.#items.set(key, { item, uses });
    }
  }

  #endsAtMs(): number {
    return this.#limits.nowMs() + this.#limits.maxAgeMs;
  }
}

function itemsOf({ input, output }: KeptResponse): readonly JsonObject[] {
  return [...input, ...output];
}

function keyOf(owner: string, id: string): string {
  return `${owner}/${id}`;
}
