import { describe, expect, it } from "vitest";
import type { Opening } from "./describe-store.ts";

/** What every store of sign-ins has to do. */
export function describeSignIns({ open, openTwo }: Opening): void {
  describe("sign-ins", () => {
    it("hold until they are over, and may be made longer", async () => {
      const { signIns } = await open();
      await signIns.add("hash", 1_000);
      expect(await signIns.find("hash", 999)).toBe(1_000);
      expect(await signIns.find("hash", 1_000)).toBeUndefined();
      expect(await signIns.find("absent", 0)).toBeUndefined();
      await signIns.add("hash", 2_000);
      expect(await signIns.find("hash", 1_000)).toBe(2_000);
    });

    it("are taken by one of many", async () => {
      const handles = await openTwo();
      await handles[0].signIns.add("hash", 1_000);
      const taking = Array.from({ length: 10 }, (_, index) => handles[index % 2 === 0 ? 0 : 1].signIns.take("hash", 0));
      expect((await Promise.all(taking)).filter((isTaken) => isTaken)).toHaveLength(1);
      expect(await handles[1].signIns.find("hash", 0)).toBeUndefined();
    });

    it("are not taken when they are over", async () => {
      const { signIns } = await open();
      await signIns.add("hash", 1_000);
      expect(await signIns.take("hash", 1_000)).toBe(false);
      expect(await signIns.take("absent", 0)).toBe(false);
    });

    it("are pruned when they are over", async () => {
      const { signIns } = await open();
      await signIns.add("old", 1_000);
      await signIns.add("new", 1_001);
      await signIns.prune(1_000);
      expect([await signIns.find("old", 0), await signIns.find("new", 0)]).toEqual([undefined, 1_001]);
    });
  });
}
