import fc from "fast-check";
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

const HOUR_MS = 3_600_000;

/** Something that may be done to limits, so long after the one before. */
export type LimitsOperation = { readonly afterMs: number; readonly keyId: string; readonly requestId: string } & (
  | { readonly kind: "enter"; readonly limits: KeyLimits; readonly forMs: number }
  | { readonly kind: "renew"; readonly forMs: number }
  | { readonly kind: "leave"; readonly usd: number }
  | { readonly kind: "prune" }
);

/** Any operation on few keys. What is spent are quarters, which sum up exactly in any order. */
export function anyLimitsOperation(): fc.Arbitrary<LimitsOperation> {
  const afterMs = fc.constantFrom(0, 1, 20_000, 60_000, 9 * HOUR_MS, 20 * 24 * HOUR_MS);
  const common = { afterMs, keyId: fc.constantFrom("key-1", "key-2"), requestId: fc.constantFrom("a", "b", "c", "d") };
  const forMs = fc.constantFrom(0, 30_000, 12 * HOUR_MS);
  const usd = fc.nat({ max: 8 }).map((quarters) => quarters / 4);
  const count = fc.nat({ max: 3 });
  const limits = fc.record(
    { requestsPerMinute: count, concurrent: count, usdPerDay: usd, usdPerMonth: usd },
    { requiredKeys: [] },
  );
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ ...common, kind: fc.constant("enter" as const), limits, forMs }) },
    { weight: 1, arbitrary: fc.record({ ...common, kind: fc.constant("renew" as const), forMs }) },
    { weight: 3, arbitrary: fc.record({ ...common, kind: fc.constant("leave" as const), usd }) },
    { weight: 1, arbitrary: fc.record({ ...common, kind: fc.constant("prune" as const) }) },
  );
}

/** Carries the operations of a run out on keys of its own, and returns all that they return and what is used after each. */
export async function limitsAfter(
  operations: readonly LimitsOperation[],
  limits: Limits,
  run: number,
): Promise<unknown[]> {
  const results: unknown[] = [];
  let nowMs = Date.UTC(2026, 0, 31);
  for (const operation of operations.map((each) => ({ ...each, keyId: `${each.keyId}-${run}` }))) {
    nowMs += operation.afterMs;
    results.push(await carryOut(operation, limits, nowMs), await limits.used(operation.keyId, nowMs));
  }
  return results;
}

function carryOut(operation: LimitsOperation, limits: Limits, nowMs: number): Promise<unknown> {
  const { keyId, requestId } = operation;
  switch (operation.kind) {
    case "enter":
      return limits.enter({ keyId, requestId, limits: operation.limits, nowMs, expiresAtMs: nowMs + operation.forMs });
    case "renew":
      return limits.renew(keyId, [requestId], nowMs + operation.forMs);
    case "leave":
      return limits.leave(keyId, requestId, { usd: operation.usd, atMs: nowMs });
    case "prune":
      return limits.prune(nowMs);
    default:
      return operation satisfies never;
  }
}
