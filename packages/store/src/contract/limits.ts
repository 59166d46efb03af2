import type { KeyLimits } from "./keys.ts";

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
