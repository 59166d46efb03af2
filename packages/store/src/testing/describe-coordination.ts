import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHANGE_KINDS, type ChangeKind, type Changes, type Lease, type Leases } from "../contract/coordination.ts";
import type { Store } from "../contract/store.ts";
import type { StoreOpener } from "./describe-store.ts";
import { makeEpoch, makeKey, makeLease, makePreset, makeSettingsChange } from "./make.ts";

export function describeLeases({ open, openTwo }: StoreOpener): void {
  describe("leases", () => {
    it("are given to one of many holders that ask at once", async () => {
      const handles = await openTwo();
      const holders = Array.from({ length: 20 }, (_, index) => `holder-${index}`);
      const taking = holders.map((holder, index) =>
        handles[index % 2 === 0 ? 0 : 1].leases.take(makeLease({ holder })),
      );
      expect((await Promise.all(taking)).filter((isTaken) => isTaken)).toHaveLength(1);
    });

    it("are free after they expire, not before", async () => {
      const { leases } = await open();
      expect(await leases.take(makeLease())).toBe(true);
      expect(await leases.take(makeLease({ holder: "other", nowMs: 999, untilMs: 5_000 }))).toBe(false);
      expect(await leases.take(makeLease({ holder: "other", nowMs: 1_000, untilMs: 5_000 }))).toBe(true);
      expect(await leases.take(makeLease({ nowMs: 1_001 }))).toBe(false);
    });

    it("are extended only by their holder", async () => {
      const { leases } = await open();
      await leases.take(makeLease());
      expect(await leases.take(makeLease({ nowMs: 500, untilMs: 3_000 }))).toBe(true);
      expect(await leases.take(makeLease({ holder: "other", nowMs: 2_000 }))).toBe(false);
    });

    it("are visible to other handles while held", async () => {
      const [one, other] = await openTwo();
      await one.leases.take(makeLease());
      await one.leases.take(makeLease({ name: "another", untilMs: 2_000 }));
      const names = ["summary", "free", "another", "summary"];
      expect(await other.leases.held(names, 999)).toEqual(new Set(["summary", "another"]));
      expect(await other.leases.held(names, 1_000)).toEqual(new Set(["another"]));
      await one.leases.release("another", "holder");
      expect(await other.leases.held(names, 1_000)).toEqual(new Set());
      expect(await other.leases.held([], 0)).toEqual(new Set());
    });

    it("are released only by their holder", async () => {
      const { leases } = await open();
      await leases.take(makeLease());
      await leases.release("summary", "other");
      expect(await leases.take(makeLease({ holder: "other" }))).toBe(false);
      await leases.release("summary", "holder");
      expect(await leases.take(makeLease({ holder: "other" }))).toBe(true);
    });

    it("are deleted by prune after they expire", async () => {
      const { leases } = await open();
      for (const name of ["a", "b"]) await leases.take(makeLease({ name }));
      await leases.take(makeLease({ name: "c", untilMs: 1_001 }));
      expect([await leases.prune(999), await leases.prune(1_000), await leases.prune(1_000)]).toEqual([0, 2, 0]);
      expect(await leases.held(["a", "b", "c"], 0)).toEqual(new Set(["c"]));
    });

    it("behave like a plain map for any operations", async () => {
      const { leases } = await open();
      await fc.assert(
        fc.asyncProperty(fc.array(anyLeasesOperation(), { maxLength: 25 }), async (operations) => {
          await leases.prune(Number.MAX_SAFE_INTEGER);
          const expected = await leasesAfter(operations, makeMapLeases());
          expect(await leasesAfter(operations, leases)).toEqual(expected);
        }),
        { numRuns: 50 },
      );
    });
  });
}

export function describeChanges({ open, openTwo }: StoreOpener): void {
  describe("changes", () => {
    it.each(CHANGE_KINDS)("of %s are reported to every handle", async (kind) => {
      const [one, other] = await openTwo();
      const notified = [nextOf(one.changes), nextOf(other.changes)];
      await change(one, kind);
      expect(await Promise.all(notified)).toEqual([kind, kind]);
    });

    it("are reported to a listener that starts later", async () => {
      const store = await open();
      await change(store, "presets");
      expect(await nextOf(store.changes)).toBe("presets");
    });

    it("are reported before poll resolves", async () => {
      const { changes, ...store } = await open();
      const notified: ChangeKind[] = [];
      changes.listen((kind) => notified.push(kind));
      await change(store, "keys");
      await changes.poll();
      expect(notified).toEqual(["keys"]);
    });

    it("are reported to every listener until it stops", async () => {
      const { changes, ...store } = await open();
      const notified: ChangeKind[] = [];
      const end = changes.listen((kind) => notified.push(kind));
      const first = nextOf(changes);
      await change(store, "keys");
      await first;
      end();
      const second = nextOf(changes);
      await change(store, "settings");
      expect(await second).toBe("settings");
      expect(notified).toEqual(["keys"]);
    });
  });
}

async function change(store: Omit<Store, "changes">, kind: ChangeKind): Promise<void> {
  if (kind === "settings") await store.settings.change(makeSettingsChange());
  else if (kind === "keys") await store.keys.create(makeKey());
  else if (kind === "presets") await store.presets.put(makePreset());
  else {
    await store.epochs.put(makeEpoch({ session: "over" }));
    await store.epochs.clear({ session: "over" });
  }
}

function nextOf(changes: Changes): Promise<ChangeKind> {
  return new Promise((resolve) => {
    const end = changes.listen((kind) => {
      end();
      resolve(kind);
    });
  });
}

/** The contract of leases as a plain map, to compare stores with. */
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

type LeasesOperation = { readonly kind: "take" | "release" | "held" | "prune"; readonly lease: Lease };

function anyLeasesOperation(): fc.Arbitrary<LeasesOperation> {
  const lease = fc.record({
    name: fc.constantFrom("summary-1", "summary-2"),
    holder: fc.constantFrom("a", "b", "c"),
    nowMs: fc.nat({ max: 5 }),
    untilMs: fc.nat({ max: 7 }),
  });
  return fc.record({ kind: fc.constantFrom("take", "take", "release", "held", "prune"), lease });
}

async function leasesAfter(operations: readonly LeasesOperation[], leases: Leases): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const { kind, lease } of operations) {
    if (kind === "take") results.push(await leases.take(lease));
    else if (kind === "release") results.push(await leases.release(lease.name, lease.holder));
    else if (kind === "prune") results.push(await leases.prune(lease.nowMs));
    else results.push(await leases.held([lease.name, "summary-1"], lease.nowMs));
  }
  return results;
}
