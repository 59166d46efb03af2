import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Opening } from "./describe-store.ts";
import { makeLease } from "./make.ts";
import { anyLeasesOperation, leasesAfter, makeMapLeases } from "./map-leases.ts";

/** What every store of leases has to do. */
export function describeLeases({ open, openTwo }: Opening): void {
  describe("leases", () => {
    it("go to one of many who ask at once", async () => {
      const handles = await openTwo();
      const holders = Array.from({ length: 20 }, (_, index) => `holder-${index}`);
      const taking = holders.map((holder, index) =>
        handles[index % 2 === 0 ? 0 : 1].leases.take(makeLease({ holder })),
      );
      expect((await Promise.all(taking)).filter((isTaken) => isTaken)).toHaveLength(1);
    });

    it("are free again when they expire, and not before", async () => {
      const { leases } = await open();
      expect(await leases.take(makeLease())).toBe(true);
      expect(await leases.take(makeLease({ holder: "other", nowMs: 999, untilMs: 5_000 }))).toBe(false);
      expect(await leases.take(makeLease({ holder: "other", nowMs: 1_000, untilMs: 5_000 }))).toBe(true);
      expect(await leases.take(makeLease({ nowMs: 1_001 }))).toBe(false);
    });

    it("are made longer by their holder alone", async () => {
      const { leases } = await open();
      await leases.take(makeLease());
      expect(await leases.take(makeLease({ nowMs: 500, untilMs: 3_000 }))).toBe(true);
      expect(await leases.take(makeLease({ holder: "other", nowMs: 2_000 }))).toBe(false);
    });

    it("are seen by others while somebody has them", async () => {
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

    it("are released by their holder alone", async () => {
      const { leases } = await open();
      await leases.take(makeLease());
      await leases.release("summary", "other");
      expect(await leases.take(makeLease({ holder: "other" }))).toBe(false);
      await leases.release("summary", "holder");
      expect(await leases.take(makeLease({ holder: "other" }))).toBe(true);
    });

    it("are gone once they have expired and are pruned, whoever had them", async () => {
      const { leases } = await open();
      for (const name of ["a", "b"]) await leases.take(makeLease({ name }));
      await leases.take(makeLease({ name: "c", untilMs: 1_001 }));
      expect([await leases.prune(999), await leases.prune(1_000), await leases.prune(1_000)]).toEqual([0, 2, 0]);
      expect(await leases.held(["a", "b", "c"], 0)).toEqual(new Set(["c"]));
    });

    it("agree with a plain map over any operations", async () => {
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
