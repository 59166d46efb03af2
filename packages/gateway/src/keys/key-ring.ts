import { hashKey } from "@longhaul/admin";
import { checkValue, LonghaulError, LruMap } from "@longhaul/conversation";
import { contextOverrides, faultSentence, schemaFaults } from "@longhaul/settings";
import type { Changes, Keys, StoredKey } from "@longhaul/store";
import type { KeyHolder } from "./caller.ts";
import { within } from "./within.ts";

/** The keys that open the gateway. */
export interface KeyRing {
  /** Whether there is any, revoked ones too: whoever revokes the last one wants nobody let in. */
  hasKeys(): Promise<boolean>;
  /**
   * Whose key it is; nothing where there is none such, or it was revoked. A store that is down is not missed for ten minutes by keys that
   * it was seen to hold; all others throw `store.unavailable`.
   */
  find(key: string): Promise<KeyHolder | undefined>;
  close(): void;
}

/** What a ring takes from outside. */
export interface KeyRingOptions {
  readonly keys: Pick<Keys, "find" | "list">;
  readonly changes: Pick<Changes, "listen">;
  readonly nowMs: () => number;
  /** Tells the operator. */
  readonly warn: (what: string) => void;
  /** How long the store may take to answer. @default a second */
  readonly limitMs?: number;
}

const MAX_KNOWN = 10_000;
/** How long a key holds after the store was last seen to hold it. */
const LIFETIME_MS = 10 * 60_000;
/** After so long the store is asked again, while the key is used: it may be down without having told. */
const REFRESH_MS = 60_000;
/** How long a store that failed is not asked for keys that are known. */
const PAUSE_MS = 5_000;
const DEFAULT_LIMIT_MS = 1_000;
/** Nobody waits yet, and a connection may have to be made first. */
const OPENING_LIMIT_MS = 30_000;
const RETRY_AFTER_MS = 5_000;

/** Opens a ring over the store's keys; what is changed there holds within a second. */
export async function openKeyRing(options: KeyRingOptions): Promise<KeyRing> {
  const ring = new Ring(options);
  const stop = options.changes.listen((kind) => {
    if (kind === "keys") ring.onChange();
  });
  await ring.count(OPENING_LIMIT_MS);
  return { hasKeys: () => ring.hasKeys(), find: (key) => ring.find(hashKey(key)), close: stop };
}

interface Entry {
  readonly key: KeyHolder;
  readonly seenMs: number;
  /** How many changes had been told when it was looked up. */
  readonly changes: number;
}

class Ring {
  readonly #options: KeyRingOptions;
  readonly #known = new LruMap<Entry>(MAX_KNOWN);
  readonly #asked = new Map<string, Promise<KeyHolder | undefined>>();
  #changes = 0;
  #hasKeys = false;
  #countedChanges = -1;
  #failedMs = Number.NEGATIVE_INFINITY;

  constructor(options: KeyRingOptions) {
    this.#options = options;
  }

  onChange(): void {
    this.#changes += 1;
  }

  async count(limitMs: number): Promise<void> {
    const changes = this.#changes;
    this.#hasKeys = (await within(limitMs, this.#options.keys.list())).length > 0;
    this.#countedChanges = changes;
  }

  async hasKeys(): Promise<boolean> {
    const isCounted = this.#hasKeys || this.#countedChanges === this.#changes || this.#isPausing();
    const { limitMs = DEFAULT_LIMIT_MS } = this.#options;
    if (!isCounted) await this.count(limitMs).catch((error: unknown) => this.#fail(error));
    return this.#hasKeys;
  }

  async find(hash: string): Promise<KeyHolder | undefined> {
    const entry = this.#known.get(hash);
    if (entry === undefined) return await this.#ask(hash).catch(unavailable);
    const ageMs = this.#options.nowMs() - entry.seenMs;
    if (ageMs >= LIFETIME_MS) return await this.#ask(hash).catch(unavailable);
    const isChanged = entry.changes !== this.#changes;
    if (this.#isPausing() || (!isChanged && ageMs < REFRESH_MS)) return entry.key;
    const asked = this.#ask(hash).catch(() => entry.key);
    return isChanged ? await asked : entry.key;
  }

  /** Asks the store, once for all who want the same key. */
  #ask(hash: string): Promise<KeyHolder | undefined> {
    const asked = this.#asked.get(hash) ?? this.#lookUp(hash).finally(() => this.#asked.delete(hash));
    this.#asked.set(hash, asked);
    return asked;
  }

  async #lookUp(hash: string): Promise<KeyHolder | undefined> {
    const { keys, nowMs, limitMs = DEFAULT_LIMIT_MS } = this.#options;
    const changes = this.#changes;
    const seenMs = nowMs();
    const stored = await within(limitMs, keys.find(hash)).catch((error: unknown) => {
      this.#fail(error);
      throw error;
    });
    this.#failedMs = Number.NEGATIVE_INFINITY;
    // One that was revoked is looked up each time, as one that never was: nobody can tell them apart by the time that takes.
    if (stored === undefined || stored.revokedAtMs !== undefined) {
      this.#known.delete(hash);
      return undefined;
    }
    const key = this.#read(stored);
    this.#known.set(hash, { key, seenMs, changes });
    return key;
  }

  #read({ id, name, tenant, limits, context: stored }: StoredKey): KeyHolder {
    const key = { keyId: id, name, tenant, limits };
    if (Object.keys(stored).length === 0) return key;
    const { data: context, error } = checkValue(contextOverrides, stored);
    if (context !== undefined) return { ...key, context };
    const faults = schemaFaults(error).map(faultSentence).join("; ");
    this.#options.warn(`the context settings of the key "${name}" (${id}) are not used: ${faults}`);
    return key;
  }

  #isPausing(): boolean {
    return this.#options.nowMs() - this.#failedMs < PAUSE_MS;
  }

  #fail(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    const isNew = this.#failedMs === Number.NEGATIVE_INFINITY;
    this.#failedMs = this.#options.nowMs();
    if (isNew) this.#options.warn(`keys cannot be looked up, those in use hold for ten minutes: ${why}`);
  }
}

function unavailable(cause: unknown): never {
  const message = "keys cannot be looked up right now, because the gateway's database does not answer; try again soon";
  throw new LonghaulError("store.unavailable", message, { cause, retryAfterMs: RETRY_AFTER_MS });
}
