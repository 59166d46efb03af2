import { hashKey } from "@longhaul/admin";
import { checkValue, LonghaulError, LruMap } from "@longhaul/conversation/advanced";
import { contextOverrides, faultSentence, schemaFaults } from "@longhaul/settings";
import type { Changes, Keys, StoredKey } from "@longhaul/store";
import type { KeyHolder } from "./caller.ts";
import { StoreGuard, type StoreGuardOptions, within } from "./store-guard.ts";

export interface KeyRingOptions extends Omit<StoreGuardOptions, "consequence"> {
  readonly keys: Pick<Keys, "find" | "list">;
  readonly changes: Pick<Changes, "listen">;
  /** How long the store may take to answer. @default a second */
  readonly limitMs?: number;
}

const MAX_KNOWN = 10_000;
/** How long a key stays valid after it was last seen in the store. */
const LIFETIME_MS = 10 * 60_000;
/** After this time a key is checked again in the background: a change notification may have been lost. */
const REFRESH_MS = 60_000;
const DEFAULT_LIMIT_MS = 1_000;
/** At the start no request waits, and a connection may have to be opened first. */
const OPENING_LIMIT_MS = 30_000;
const RETRY_AFTER_MS = 5_000;

interface Entry {
  readonly key: KeyHolder;
  readonly seenMs: number;
  /** The number of change notifications when it was looked up. */
  readonly changes: number;
}

/** The API keys of the gateway. A change in the store takes effect within a second. */
export class KeyRing {
  readonly #options: KeyRingOptions;
  readonly #known = new LruMap<Entry>(MAX_KNOWN);
  readonly #asked = new Map<string, Promise<KeyHolder | undefined>>();
  #changes = 0;
  #hasKeys = false;
  #countedChanges = -1;
  readonly #guard: StoreGuard;
  readonly #stop: () => void;

  private constructor(options: KeyRingOptions) {
    this.#options = options;
    this.#guard = new StoreGuard({ ...options, consequence: CONSEQUENCE });
    this.#stop = options.changes.listen((kind) => {
      if (kind === "keys") this.#changes += 1;
    });
  }

  static async open(options: KeyRingOptions): Promise<KeyRing> {
    const ring = new KeyRing(options);
    await ring.#count(OPENING_LIMIT_MS);
    return ring;
  }

  close(): void {
    this.#stop();
  }

  async #count(limitMs: number): Promise<void> {
    const changes = this.#changes;
    this.#hasKeys = (await within(limitMs, this.#options.keys.list())).length > 0;
    this.#countedChanges = changes;
  }

  /** Whether any key exists. Revoked ones count: revoking the last key must not open the gateway. If the store fails, the last answer holds. */
  async hasKeys(): Promise<boolean> {
    const isCounted = this.#countedChanges === this.#changes || this.#guard.isPausing;
    const { limitMs = DEFAULT_LIMIT_MS } = this.#options;
    if (!isCounted) await this.#count(limitMs).catch((error: unknown) => this.#guard.failed(error));
    return this.#hasKeys;
  }

  /**
   * Returns the holder of a key; undefined if the key is unknown or revoked. While the store is down, keys in use stay valid for ten minutes;
   * all others throw `store.unavailable`.
   */
  async find(key: string): Promise<KeyHolder | undefined> {
    const hash = hashKey(key);
    const entry = this.#known.get(hash);
    if (entry === undefined) return await this.#ask(hash).catch(unavailable);
    const ageMs = this.#options.nowMs() - entry.seenMs;
    if (ageMs >= LIFETIME_MS) return await this.#ask(hash).catch(unavailable);
    const isChanged = entry.changes !== this.#changes;
    if (this.#guard.isPausing || (!isChanged && ageMs < REFRESH_MS)) return entry.key;
    const asked = this.#ask(hash).catch(() => entry.key);
    return isChanged ? await asked : entry.key;
  }

  /** Asks the store, once for all requests with the same key. */
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
      this.#guard.failed(error);
      throw error;
    });
    this.#guard.recovered();
    // A revoked key is looked up each time, like an unknown one, so that timing does not distinguish them.
    if (stored === undefined || stored.revokedAtMs !== undefined) {
      this.#known.delete(hash);
      return undefined;
    }
    const key = this.#read(stored);
    this.#known.set(hash, { key, seenMs, changes });
    return key;
  }

  #read({ id, name, tenant, models, limits, context: stored }: StoredKey): KeyHolder {
    const key = { keyId: id, name, tenant, models, limits };
    if (Object.keys(stored).length === 0) return key;
    const { data: context, error } = checkValue(contextOverrides, stored);
    if (context !== undefined) return { ...key, context };
    const faults = schemaFaults(error).map(faultSentence).join("; ");
    this.#options.warn(`the context settings of the key "${name}" (${id}) are ignored: ${faults}`);
    return key;
  }
}

const CONSEQUENCE = "API keys cannot be looked up; keys in use stay valid for ten minutes";

function unavailable(cause: unknown): never {
  const message = "API keys cannot be checked because the gateway's database does not answer; try again in a moment";
  throw new LonghaulError("store.unavailable", message, { cause, retryAfterMs: RETRY_AFTER_MS });
}
