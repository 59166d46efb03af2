import fc from "fast-check";
import type { Lease, Leases } from "../contract/leases.ts";

/** A lease is taken, released, or looked for. */
export type LeasesOperation = { readonly kind: "take" | "release" | "held"; readonly lease: Lease };

/** Any operation of few holders on few leases, at any of few times. */
export function anyLeasesOperation(): fc.Arbitrary<LeasesOperation> {
  const lease = fc.record({
    name: fc.constantFrom("summary-1", "summary-2"),
    holder: fc.constantFrom("a", "b", "c"),
    nowMs: fc.nat({ max: 10 }),
    untilMs: fc.nat({ max: 15 }),
  });
  return fc.record({ kind: fc.constantFrom("take", "take", "release", "held"), lease });
}

/** Carries the operations of a run out on leases of its own, and returns all that they return. */
export async function leasesAfter(
  operations: readonly LeasesOperation[],
  leases: Leases,
  run: number,
): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const { kind, lease: asked } of operations) {
    const lease = { ...asked, name: `${asked.name}-${run}` };
    if (kind === "take") results.push(await leases.take(lease));
    else if (kind === "release") results.push(await leases.release(lease.name, lease.holder));
    else results.push(await leases.held([lease.name, `summary-1-${run}`], lease.nowMs));
  }
  return results;
}
