import { describe, expect, it } from "vitest";
import type { StoreOpener } from "./describe-store.ts";

export function describePrefixes({ open, openTwo, clock }: StoreOpener): void {
  describe("prefixes", () => {
    it("are found by their openings, also by another process", async () => {
      const [one, other] = await openTwo();
      await one.prefixes.put([
        { opening: "a", state: "1" },
        { opening: "b", state: "2" },
      ]);
      expect(await other.prefixes.find(["b", "c", "b"])).toEqual([{ opening: "b", state: "2" }]);
      expect(await other.prefixes.find([])).toEqual([]);
    });

    it("are replaced by later ones, also in one call", async () => {
      const { prefixes } = await open();
      await prefixes.put([{ opening: "a", state: "1" }]);
      await prefixes.put([
        { opening: "a", state: "2" },
        { opening: "a", state: "3" },
      ]);
      await prefixes.put([]);
      expect(await prefixes.find(["a"])).toEqual([{ opening: "a", state: "3" }]);
    });

    it("are pruned by age, then by size, oldest first", async () => {
      const { prefixes } = await open();
      for (const [at, opening] of ["a", "b", "c", "d"].entries()) {
        clock.nowMs = at;
        await prefixes.put([{ opening, state: "x".repeat(10) }]);
      }
      expect(await prefixes.prune(1, 25)).toBe(2);
      expect((await prefixes.find(["a", "b", "c", "d"])).map(({ opening }) => opening).sort()).toEqual(["c", "d"]);
    });
  });
}
