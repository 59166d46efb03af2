import { describe, expect, it } from "vitest";
import type { StoreOpener } from "./describe-store.ts";
import { makeFront } from "./make.ts";

const FACTS = new Uint8Array([1, 2, 0, 255]);
const MUCH = Number.MAX_SAFE_INTEGER;

export function describeFronts({ clock, open }: StoreOpener): void {
  describe("fronts", () => {
    it("are found by any of many keys, longest first", async () => {
      const { fronts } = await open();
      const put = [3, 40, 12].map((bytes) => makeFront({ key: `key-${bytes}`, bytes }));
      for (const front of put) await fronts.put(front, FACTS);
      const keys = Array.from({ length: 1_000 }, (_, index) => `key-${index}`);
      expect(await fronts.find(keys)).toEqual([put[1], put[2], put[0]]);
      expect(await fronts.find(["key-12", "key-12", "other"])).toEqual([put[2]]);
      expect(await fronts.find([])).toEqual([]);
    });

    it("return at most a hundred, the longest", async () => {
      const { fronts } = await open();
      for (let bytes = 1; bytes <= 110; bytes++) await fronts.put(makeFront({ rest: `${bytes}`, bytes }), FACTS);
      const found = await fronts.find(["key"]);
      expect([found.length, found.at(0)?.bytes, found.at(-1)?.bytes]).toEqual([100, 110, 11]);
    });

    it("are read byte for byte, and replaced by key and rest", async () => {
      const { fronts } = await open();
      await fronts.put(makeFront(), new Uint8Array(9));
      await fronts.put(makeFront({ bytes: 2 }), FACTS);
      await fronts.put(makeFront({ rest: "other", bytes: 1 }), new Uint8Array());
      expect(await fronts.read(makeFront())).toEqual(FACTS);
      expect(await fronts.find(["key"])).toEqual([makeFront({ bytes: 2 }), makeFront({ rest: "other", bytes: 1 })]);
    });

    it("replace a shorter front, and only that", async () => {
      const { fronts } = await open();
      await fronts.put(makeFront(), FACTS);
      await fronts.put(makeFront({ rest: "other" }), new Uint8Array());
      await fronts.put(makeFront({ key: "longer" }), FACTS, makeFront());
      expect(await fronts.read(makeFront())).toBeUndefined();
      expect(await fronts.read(makeFront({ rest: "other" }))).toEqual(new Uint8Array());
      expect(await fronts.read(makeFront({ key: "longer" }))).toEqual(FACTS);
    });

    it("are pruned if they are old, then oldest first over the size limit", async () => {
      const { fronts } = await open();
      for (const key of ["a", "b", "c", "d"]) {
        clock.nowMs += 1_000;
        await fronts.put(makeFront({ key }), new Uint8Array(100));
      }
      expect(await fronts.prune(2_000, MUCH)).toBe(1);
      expect(await fronts.prune(0, 299)).toBe(1);
      expect((await fronts.find(["a", "b", "c", "d"])).map(({ key }) => key).toSorted()).toEqual(["c", "d"]);
    });
  });
}
