import { learn, startCalibration } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import type { Opening } from "./describe-store.ts";
import { makeCalibration } from "./make.ts";

/** What every store of calibrations has to do. */
export function describeCalibrations({ open }: Opening): void {
  describe("calibrations", () => {
    it("come back as they were learned, the last state of each", async () => {
      const { calibrations } = await open();
      let state = startCalibration(1.1);
      for (const reported of [1_000, 1_013, 977, 90_000]) {
        state = learn(state, { estimated: 1_000, reported, hasMedia: false });
        await calibrations.save(makeCalibration({ state }));
      }
      await calibrations.save(makeCalibration({ upstream: "other" }));
      await calibrations.save(makeCalibration({ model: "other" }));
      const loaded = await calibrations.load();
      expect(loaded).toHaveLength(3);
      expect(loaded).toEqual(
        expect.arrayContaining([
          makeCalibration({ state }),
          makeCalibration({ upstream: "other" }),
          makeCalibration({ model: "other" }),
        ]),
      );
    });

    it("of another shape count as absent, until they are saved anew", async () => {
      const { calibrations } = await open();
      const state = JSON.parse('{"ratio": 40}');
      await calibrations.save(makeCalibration({ state }));
      expect(await calibrations.load()).toEqual([]);
      await calibrations.save(makeCalibration());
      expect(await calibrations.load()).toEqual([makeCalibration()]);
    });
  });
}
