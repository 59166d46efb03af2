import type { KeyLimits } from "../contract/keys.ts";
import type { KeyUse, Limits } from "../contract/limits.ts";

interface Entered {
  readonly keyId: string;
  readonly requestId: string;
  readonly atMs: number;
}

/** The contract of limits in its plainest form, to compare stores with: all that happened, counted anew for each question. */
export function makeMapLimits(): Limits {
  const entered: Entered[] = [];
  const spent: { readonly keyId: string; readonly usd: number; readonly atMs: number }[] = [];
  const expiring = new Map<string, number>();
  const idOf = (keyId: string, requestId: string) => JSON.stringify([keyId, requestId]);
  const used = (keyId: string, nowMs: number): KeyUse => {
    const spentSince = (length: number) =>
      sum(spent.filter((each) => each.keyId === keyId && isSame(each.atMs, nowMs, length)).map(({ usd }) => usd));
    const underWay = [...expiring].filter(([id, untilMs]) => id.startsWith(`["${keyId}"`) && untilMs > nowMs);
    return {
      requestsThisMinute: entered.filter((each) => each.keyId === keyId && isSame(each.atMs, nowMs, MINUTE)).length,
      underWay: underWay.length,
      usdToday: spentSince(DAY),
      usdThisMonth: spentSince(MONTH),
    };
  };
  return {
    async enter({ keyId, requestId, limits, nowMs, expiresAtMs }) {
      if ((expiring.get(idOf(keyId, requestId)) ?? 0) > nowMs) return { used: used(keyId, nowMs) };
      const before = used(keyId, nowMs);
      const refusedBy = firstOver(limits, before);
      if (refusedBy !== undefined) return { refusedBy, used: before };
      entered.push({ keyId, requestId, atMs: nowMs });
      expiring.set(idOf(keyId, requestId), expiresAtMs);
      const { requestsThisMinute, underWay } = before;
      return { used: { ...before, requestsThisMinute: requestsThisMinute + 1, underWay: underWay + 1 } };
    },
    async renew(keyId, requestIds, expiresAtMs) {
      const known = requestIds.map((requestId) => idOf(keyId, requestId)).filter((id) => expiring.has(id));
      for (const id of known) expiring.set(id, expiresAtMs);
    },
    async leave(keyId, requestId, { usd, atMs }) {
      expiring.delete(idOf(keyId, requestId));
      spent.push({ keyId, usd, atMs });
    },
    used: async (keyId, nowMs) => used(keyId, nowMs),
    async prune(nowMs) {
      for (const [id, untilMs] of expiring) if (untilMs <= nowMs) expiring.delete(id);
    },
  };
}

// How much of an ISO date tells the month, the day and the minute.
const MONTH = "2026-01".length;
const DAY = "2026-01-31".length;
const MINUTE = "2026-01-31T12:00".length;

function isSame(leftMs: number, rightMs: number, length: number): boolean {
  const [left, right] = [leftMs, rightMs].map((atMs) => new Date(atMs).toISOString().slice(0, length));
  return left === right;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function firstOver(limits: KeyLimits, used: KeyUse): keyof KeyLimits | undefined {
  if (limits.usdPerMonth !== undefined && used.usdThisMonth >= limits.usdPerMonth) return "usdPerMonth";
  if (limits.usdPerDay !== undefined && used.usdToday >= limits.usdPerDay) return "usdPerDay";
  if (limits.requestsPerMinute !== undefined && used.requestsThisMinute >= limits.requestsPerMinute) {
    return "requestsPerMinute";
  }
  return limits.concurrent !== undefined && used.underWay >= limits.concurrent ? "concurrent" : undefined;
}
