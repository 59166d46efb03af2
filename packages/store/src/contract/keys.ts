import type { JsonObject } from "@longhaul/conversation";

/** The keys that clients of the gateway show. */
export interface Keys {
  /** An id or a hash that is there already is `store.conflict`. */
  create(key: StoredKey): Promise<void>;
  /** The one with this hash, revoked ones too. */
  find(hash: string): Promise<StoredKey | undefined>;
  /** All of them, the latest first. */
  list(): Promise<readonly StoredKey[]>;
  /** Changes what is given; whether there is such a key. */
  change(id: string, changes: Partial<Pick<StoredKey, "name" | "limits" | "context">>): Promise<boolean>;
  /** From then on it opens nothing; whether there is such a key. One that was revoked before keeps its time. */
  revoke(id: string, atMs: number): Promise<boolean>;
}

/** A key as it is kept: never the key itself. */
export interface StoredKey {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the key, which is long and random. */
  readonly hash: string;
  /** Its beginning, by which its owner knows it again. */
  readonly hint: string;
  /** What its conversations belong to; keys of one owner share them. */
  readonly tenant: string;
  readonly limits: KeyLimits;
  /** Context settings of its requests; they go before the global ones. */
  readonly context: JsonObject;
  readonly createdAtMs: number;
  readonly revokedAtMs?: number;
}

/** What a key may use; what is absent is not limited. */
export interface KeyLimits {
  readonly requestsPerMinute?: number;
  /** Requests under way at once. */
  readonly concurrent?: number;
  /** Days and months are those of UTC. */
  readonly usdPerDay?: number;
  readonly usdPerMonth?: number;
}

/** Who may use the admin pages, by the hash of what their browser shows. */
export interface SignIns {
  add(hash: string, expiresAtMs: number): Promise<void>;
  /** Until when it holds; `undefined` for one that is unknown or over. */
  find(hash: string, nowMs: number): Promise<number | undefined>;
  /** Whether it was there and not over: of two who take the same one, one gets it. */
  take(hash: string, nowMs: number): Promise<boolean>;
  /** Forgets those that are over. */
  prune(nowMs: number): Promise<void>;
}

/** What keys have used, counted over all gateways on the same database. */
export interface Limits {
  /**
   * Counts a request in, unless a limit stands against it; of two that come at once for the last free place, one is refused. One that is
   * under way already is not counted again. A request that is neither left nor renewed counts as over when it expires.
   */
  enter(entry: LimitEntry): Promise<LimitVerdict>;
  /** Still under way. */
  renew(keyId: string, requestIds: readonly string[], expiresAtMs: number): Promise<void>;
  /** Over, and what it cost; a request that was not entered costs the same. */
  leave(keyId: string, requestId: string, cost: { readonly usd: number; readonly atMs: number }): Promise<void>;
  /** What a key has used by now. */
  used(keyId: string, nowMs: number): Promise<KeyUse>;
  /** Forgets what no limit asks for any more. */
  prune(nowMs: number): Promise<void>;
}

/** A request that wants to begin. */
export interface LimitEntry {
  readonly keyId: string;
  readonly requestId: string;
  readonly limits: KeyLimits;
  readonly nowMs: number;
  readonly expiresAtMs: number;
}

/** Whether a request may begin, and what its key has used, itself included where it may. */
export interface LimitVerdict {
  /** The limit that stands against it. */
  readonly refusedBy?: keyof KeyLimits;
  readonly used: KeyUse;
}

/** What a key has used: in this minute, right now, today, this month. */
export interface KeyUse {
  readonly requestsThisMinute: number;
  readonly underWay: number;
  readonly usdToday: number;
  readonly usdThisMonth: number;
}

/** The limit that stands against one more request; of several, the one that does so the longest. */
export function refusedBy(limits: KeyLimits, used: KeyUse): keyof KeyLimits | undefined {
  const uses = {
    usdPerMonth: used.usdThisMonth,
    usdPerDay: used.usdToday,
    requestsPerMinute: used.requestsThisMinute,
    concurrent: used.underWay,
  };
  const names = ["usdPerMonth", "usdPerDay", "requestsPerMinute", "concurrent"] as const;
  return names.find((name) => uses[name] >= (limits[name] ?? Number.POSITIVE_INFINITY));
}
