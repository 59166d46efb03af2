import fc from "fast-check";
import type { Lease, Leases } from "../contract/leases.ts";

/** The contract of leases in its plainest form, to compare stores with. */
export function makeMapLeases(): Leases {
  const held = new Map<string, Lease>();
  return {
    async take(lease) {
      const known = held.get(lease.name);
      if (known !== undefined && known.holder !== lease.holder && known.untilMs > lease.nowMs) return false;
      held.set(lease.name, lease);
      return true;
    },
    async held(names, nowMs) {
      return new Set(names.filter((name) => (held.get(name)?.untilMs ?? nowMs) > nowMs));
    },
    async release(name, holder) {
      if (held.get(name)?.holder === holder) held.delete(name);
    },
    async prune(nowMs) {
      const expired = [...held.values()].filter(({ untilMs }) => untilMs <= nowMs);
      for (const { name } of expired) held.delete(name);
      return expired.length;
    },
  };
}

/** A lease is taken, released or looked for, or those that have expired by its time are forgotten. */
export type LeasesOperation = { readonly kind: "take" | "release" | "held" | "prune"; readonly lease: Lease };

/** Any operation of few holders on few leases, at any of few times. */
export function anyLeasesOperation(): fc.Arbitrary<LeasesOperation> {
  const lease = fc.record({
    name: fc.constantFrom("summary-1", "summary-2"),
    holder: fc.constantFrom("a", "b", "c"),
    nowMs: fc.nat({ max: 5 }),
    untilMs: fc.nat({ max: 7 }),
  });
  return fc.record({ kind: fc.constantFrom("take", "take", "release", "held", "prune"), lease });
}

/** Carries operations out, one after the other, and returns all that they return. */
export async function leasesAfter(operations: readonly LeasesOperation[], leases: Leases): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const { kind, lease } of operations) {
    if (kind === "take") results.push(await leases.take(lease));
    else if (kind === "release") results.push(await leases.release(lease.name, lease.holder));
    else if (kind === "prune") results.push(await leases.prune(lease.nowMs));
    else results.push(await leases.held([lease.name, "summary-1"], lease.nowMs));
  }
  return results;
}
