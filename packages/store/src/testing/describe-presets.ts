import { describe, expect, it } from "vitest";
import type { Opening } from "./describe-store.ts";
import { makePreset } from "./make.ts";

/** What every store of presets has to do. */
export function describePresets({ open }: Opening): void {
  describe("presets", () => {
    it("are listed by name, and found by it", async () => {
      const { presets } = await open();
      const names = ["été", "b", "B", "a", "", "10", "9"];
      for (const name of names) await presets.put(makePreset({ name }));
      expect(await presets.list()).toStrictEqual([...names].sort().map((name) => makePreset({ name })));
      expect(await presets.find("B")).toStrictEqual(makePreset({ name: "B" }));
      expect(await presets.find("absent")).toBeUndefined();
    });

    it("take each other's place", async () => {
      const { presets } = await open();
      await presets.put(makePreset());
      const changed = makePreset({ strategy: "native", config: { nested: { list: [null, "\0"] } }, changedAtMs: 9 });
      await presets.put(changed);
      expect(await presets.list()).toStrictEqual([changed]);
    });

    it("are removed once", async () => {
      const { presets } = await open();
      await presets.put(makePreset());
      expect(await presets.remove("careful")).toBe(true);
      expect(await presets.remove("careful")).toBe(false);
      expect(await presets.list()).toEqual([]);
    });
  });
}
