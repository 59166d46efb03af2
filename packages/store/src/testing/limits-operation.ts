import fc from "fast-check";
import type { KeyLimits } from "../contract/keys.ts";
import type { Limits } from "../contract/limits.ts";

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
