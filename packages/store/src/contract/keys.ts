import type { JsonObject } from "@longhaul/conversation";

/** The API keys of the gateway's clients. */
export interface Keys {
  /** Throws `store.conflict` if the id or the hash exists. */
  create(key: StoredKey): Promise<void>;
  /** Finds a key by its hash, even if it is revoked. */
  find(hash: string): Promise<StoredKey | undefined>;
  /** Latest first. */
  list(): Promise<readonly StoredKey[]>;
  /** Changes the given fields. Returns whether the key exists. */
  change(id: string, changes: Partial<Pick<StoredKey, "name" | "models" | "limits" | "context">>): Promise<boolean>;
  /** Revokes a key and returns whether it exists. A key that was revoked before keeps its first revocation time. */
  revoke(id: string, atMs: number): Promise<boolean>;
  /** Deletes a key and returns whether it existed. */
  delete(id: string): Promise<boolean>;
}

/** A key as stored: its hash, never the key itself. */
export interface StoredKey {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the key, which is long and random. */
  readonly hash: string;
  /** The first characters of the key, so that its owner can recognize it. */
  readonly hint: string;
  /** Owns the key's conversations; keys of one tenant share them. */
  readonly tenant: string;
  /** Patterns of the model names that its requests may use, matched like routes. Empty means all models. */
  readonly models: readonly string[];
  readonly limits: KeyLimits;
  /** Context settings for the key's requests; they override the global ones. */
  readonly context: JsonObject;
  readonly createdAtMs: number;
  readonly revokedAtMs?: number;
}

/** Limits of a key; an absent one means no limit. */
export interface KeyLimits {
  readonly requestsPerMinute?: number;
  /** Requests in progress at once. */
  readonly concurrent?: number;
  /** Days and months are in UTC. */
  readonly usdPerDay?: number;
  readonly usdPerMonth?: number;
}

/** Sign-ins to the dashboard, by the hash of the browser's token. */
export interface SignIns {
  add(hash: string, expiresAtMs: number): Promise<void>;
  /** Returns when it expires; `undefined` if it is unknown or expired. */
  find(hash: string, nowMs: number): Promise<number | undefined>;
  /** Removes a valid sign-in and returns whether there was one. If two callers take the same one, one gets it. */
  take(hash: string, nowMs: number): Promise<boolean>;
  /** Deletes expired sign-ins. */
  prune(nowMs: number): Promise<void>;
}

/** Usage of keys, counted over all gateways on the same database. */
export interface Limits {
  /**
   * Counts a request unless a limit refuses it. If two requests compete for the last slot, one is refused. A request that is already in
   * progress is not counted again. A request that is neither left nor renewed ends when it expires.
   */
  enter(entry: LimitEntry): Promise<LimitVerdict>;
  /** Extends requests that are still in progress. */
  renew(keyId: string, requestIds: readonly string[], expiresAtMs: number): Promise<void>;
  /** Ends a request and adds its cost, even if the request was never entered. */
  leave(keyId: string, requestId: string, cost: { readonly usd: number; readonly atMs: number }): Promise<void>;
  used(keyId: string, nowMs: number): Promise<KeyUse>;
  /** Deletes entries that no limit depends on any more. */
  prune(nowMs: number): Promise<void>;
}

/** A request that asks to start. */
export interface LimitEntry {
  readonly keyId: string;
  readonly requestId: string;
  readonly limits: KeyLimits;
  readonly nowMs: number;
  readonly expiresAtMs: number;
}

/** Whether a request may start, and its key's usage, including the request if it may. */
export interface LimitVerdict {
  /** The limit that refuses the request. */
  readonly refusedBy?: keyof KeyLimits;
  readonly used: KeyUse;
}

/** Usage of a key: in this minute, right now, today and this month. */
export interface KeyUse {
  readonly requestsThisMinute: number;
  readonly underWay: number;
  readonly usdToday: number;
  readonly usdThisMonth: number;
}

/** Returns the limit that refuses one more request; if there are several, the one that lasts longest. */
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
