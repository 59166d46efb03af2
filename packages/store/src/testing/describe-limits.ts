import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KeyLimits, KeyUse, Limits } from "../contract/keys.ts";
import type { StoreOpener } from "./describe-store.ts";
import { makeLimitEntry } from "./make.ts";

const MINUTE_MS = 60_000;
const NOTHING: KeyUse = { requestsThisMinute: 0, underWay: 0, usdToday: 0, usdThisMonth: 0 };

export function describeLimits({ open, openTwo }: StoreOpener): void {
  describe("limits", () => {
    it("count every request of a key without limits", async () => {
      const { limits } = await open();
      await limits.enter(makeLimitEntry());
      const verdict = await limits.enter(makeLimitEntry({ requestId: "second" }));
      expect(verdict).toStrictEqual({ used: { ...NOTHING, requestsThisMinute: 2, underWay: 2 } });
      expect(await limits.used("other", 0)).toStrictEqual(NOTHING);
    });

    it("count a request once even if it enters again", async () => {
      const { limits } = await open();
      await limits.enter(makeLimitEntry({ limits: { concurrent: 1 } }));
      const again = await limits.enter(makeLimitEntry({ limits: { concurrent: 1 } }));
      expect(again).toStrictEqual({ used: { ...NOTHING, requestsThisMinute: 1, underWay: 1 } });
    });

    it.each<[keyof KeyLimits, number, string]>([
      ["concurrent", 1, "2026-03-31T23:59:59.999Z"],
      ["requestsPerMinute", 1, "2026-03-31T23:59:59.999Z"],
      ["usdPerDay", 0.5, "2026-03-31T23:59:59.999Z"],
      ["usdPerMonth", 0.5, "2026-03-31T23:59:59.999Z"],
    ])("refuse by %s until its period ends", async (name, limit, last) => {
      const { limits } = await open();
      const nowMs = Date.parse(last);
      const entry = makeLimitEntry({ nowMs, expiresAtMs: nowMs + 1, limits: { [name]: limit } });
      await limits.leave("key", "earlier", { usd: 0.5, atMs: nowMs });
      await limits.enter({ ...entry, limits: {} });
      const refused = await limits.enter({ ...entry, requestId: "second" });
      const used = { requestsThisMinute: 1, underWay: 1, usdToday: 0.5, usdThisMonth: 0.5 };
      expect(refused).toStrictEqual({ refusedBy: name, used });
      expect(await limits.used("key", nowMs)).toStrictEqual(used);
      const later = await limits.enter({ ...entry, requestId: "third", nowMs: nowMs + 1, expiresAtMs: nowMs + 2 });
      expect(later).toStrictEqual({ used: { ...NOTHING, requestsThisMinute: 1, underWay: 1 } });
    });

    it("refuse everything at limits of 0, and name the longest", async () => {
      const { limits } = await open();
      const none = { requestsPerMinute: 0, concurrent: 0, usdPerDay: 0, usdPerMonth: 0 };
      expect(await limits.enter(makeLimitEntry({ limits: none }))).toStrictEqual({
        refusedBy: "usdPerMonth",
        used: NOTHING,
      });
    });

    it("admit exactly as many concurrent requests as there are slots", async () => {
      const handles = await openTwo();
      const entries = Array.from({ length: 20 }, (_, index) =>
        makeLimitEntry({
          requestId: `request-${index}`,
          nowMs: index * MINUTE_MS,
          expiresAtMs: 20 * MINUTE_MS,
          limits: { concurrent: 7 },
        }),
      );
      const entering = entries.map((entry, index) => handles[index % 2 === 0 ? 0 : 1].limits.enter(entry));
      const verdicts = await Promise.all(entering);
      expect(verdicts.filter(({ refusedBy }) => refusedBy === undefined)).toHaveLength(7);
      expect(await handles[0].limits.used("key", 0)).toMatchObject({ underWay: 7 });
    });

    it("add every cost of requests that leave at once", async () => {
      const handles = await openTwo();
      const leaving = Array.from({ length: 20 }, (_, index) =>
        handles[index % 2 === 0 ? 0 : 1].limits.leave("key", `request-${index}`, { usd: 0.25, atMs: 0 }),
      );
      await Promise.all(leaving);
      expect(await handles[0].limits.used("key", 0)).toStrictEqual({ ...NOTHING, usdToday: 5, usdThisMonth: 5 });
    });

    it("hold a slot for a request while it is renewed", async () => {
      const { limits } = await open();
      for (const requestId of ["first", "second", "third"]) await limits.enter(makeLimitEntry({ requestId }));
      await limits.renew("key", ["first", "third", "absent"], 2 * MINUTE_MS);
      await limits.renew("key", [], 9 * MINUTE_MS);
      await limits.renew("other", ["second"], 9 * MINUTE_MS);
      const at = async (nowMs: number) => (await limits.used("key", nowMs)).underWay;
      expect([await at(0), await at(MINUTE_MS), await at(2 * MINUTE_MS)]).toEqual([3, 2, 0]);
    });

    it("behave like a plain list for any operations", async () => {
      const { limits } = await open();
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(anyLimitsOperation(), { maxLength: 25 }), async (operations) => {
          const run = runs++;
          const expected = await limitsAfter(operations, makeMapLimits(), run);
          expect(await limitsAfter(operations, limits, run)).toEqual(expected);
        }),
        { numRuns: 50 },
      );
    });
  });
}

/** The contract of limits as plain lists, to compare stores with. */
function makeMapLimits(): Limits {
  const entered: { readonly keyId: string; readonly requestId: string; readonly atMs: number }[] = [];
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

// Lengths of the month, day and minute in an ISO date.
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

/** An operation, `afterMs` later than the previous one. */
type LimitsOperation = { readonly afterMs: number; readonly keyId: string; readonly requestId: string } & (
  | { readonly kind: "enter"; readonly limits: KeyLimits; readonly forMs: number }
  | { readonly kind: "renew"; readonly forMs: number }
  | { readonly kind: "leave"; readonly usd: number }
  | { readonly kind: "prune" }
);

/** Any operation on a few keys. Amounts are quarters, which add up exactly in any order. */
function anyLimitsOperation(): fc.Arbitrary<LimitsOperation> {
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

/** Runs operations on the keys of one run, and returns every result and the usage after it. */
async function limitsAfter(operations: readonly LimitsOperation[], limits: Limits, run: number): Promise<unknown[]> {
  const results: unknown[] = [];
  let nowMs = Date.UTC(2026, 0, 31);
  for (const operation of operations.map((each) => ({ ...each, keyId: `${each.keyId}-${run}` }))) {
    nowMs += operation.afterMs;
    results.push(await runOperation(operation, limits, nowMs), await limits.used(operation.keyId, nowMs));
  }
  return results;
}

function runOperation(operation: LimitsOperation, limits: Limits, nowMs: number): Promise<unknown> {
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
