import { calibrate, startCalibration } from "@longhaul/models/advanced";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LearnedWindow, WINDOW_LIFETIME_MS } from "../contract/store.ts";
import type { StoreOpener } from "./describe-store.ts";
import { makeCalibration, makeWindow } from "./make.ts";

export function describeWindows({ open }: StoreOpener): void {
  describe("windows", () => {
    it("are found only by their upstream, credential and model", async () => {
      const { windows } = await open();
      await windows.learn(makeWindow());
      expect(await windows.find(makeWindow(), 0)).toEqual(makeWindow());
      for (const field of ["upstream", "credential", "model"] as const) {
        expect(await windows.find(makeWindow({ [field]: "other" }), 0)).toBeUndefined();
      }
    });

    it("are found if they were learned since a time", async () => {
      const { windows } = await open();
      await windows.learn(makeWindow({ learnedAtMs: 1_000 }));
      expect(await windows.find(makeWindow(), 1_000)).toBeDefined();
      expect(await windows.find(makeWindow(), 1_001)).toBeUndefined();
    });

    it.each<[string, Partial<LearnedWindow>[], Partial<LearnedWindow>]>([
      ["shrink", [{ windowTokens: 9 }, { windowTokens: 7, learnedAtMs: 5 }], { windowTokens: 7, learnedAtMs: 5 }],
      ["never grow", [{ windowTokens: 7 }, { windowTokens: 9, learnedAtMs: 5 }], { windowTokens: 7, learnedAtMs: 5 }],
      [
        "keep the later time",
        [{ windowTokens: 9, learnedAtMs: 5 }, { windowTokens: 7 }],
        { windowTokens: 7, learnedAtMs: 5 },
      ],
      [
        "apply for their whole lifetime",
        [{ windowTokens: 7 }, { windowTokens: 9, learnedAtMs: WINDOW_LIFETIME_MS }],
        { windowTokens: 7, learnedAtMs: WINDOW_LIFETIME_MS },
      ],
      [
        "are replaced by a larger one after they expire",
        [{ windowTokens: 7 }, { windowTokens: 9, learnedAtMs: WINDOW_LIFETIME_MS + 1 }],
        { windowTokens: 9, learnedAtMs: WINDOW_LIFETIME_MS + 1 },
      ],
      [
        "ignore an older one that had expired",
        [{ windowTokens: 9, learnedAtMs: WINDOW_LIFETIME_MS + 1 }, { windowTokens: 7 }],
        { windowTokens: 9, learnedAtMs: WINDOW_LIFETIME_MS + 1 },
      ],
    ])("%s", async (_, learned, expected) => {
      const { windows } = await open();
      for (const fields of learned) await windows.learn(makeWindow(fields));
      expect(await windows.list()).toEqual([makeWindow(expected)]);
    });

    it("end as the smallest and latest of any within a lifetime", async () => {
      const { windows } = await open();
      const anyWindow = fc.record({
        windowTokens: fc.integer({ min: 1, max: 1_000_000 }),
        learnedAtMs: fc.nat({ max: WINDOW_LIFETIME_MS }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(anyWindow, { minLength: 1, maxLength: 8 }), async (learned) => {
          await windows.forget(makeWindow());
          for (const fields of learned) await windows.learn(makeWindow(fields));
          const windowTokens = Math.min(...learned.map((each) => each.windowTokens));
          const learnedAtMs = Math.max(...learned.map((each) => each.learnedAtMs));
          expect(await windows.find(makeWindow(), 0)).toEqual(makeWindow({ windowTokens, learnedAtMs }));
        }),
      );
    });

    it("are listed latest first, and forgotten one by one", async () => {
      const { windows } = await open();
      const small = makeWindow({ model: "small", learnedAtMs: 1 });
      const large = makeWindow({ model: "large", learnedAtMs: 2 });
      await windows.learn(small);
      await windows.learn(large);
      expect(await windows.list()).toEqual([large, small]);
      await windows.forget(large);
      await windows.forget(large);
      expect(await windows.list()).toEqual([small]);
    });
  });
}

export function describeCalibrations({ open }: StoreOpener): void {
  describe("calibrations", () => {
    it("are returned as last saved", async () => {
      const { calibrations } = await open();
      let state = startCalibration(1.1);
      for (const reported of [1_000, 1_013, 977, 90_000]) {
        state = calibrate(state, { estimated: 1_000, reported, hasMedia: false });
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

    it("of an unknown shape count as absent until they are saved again", async () => {
      const { calibrations } = await open();
      const state = JSON.parse('{"ratio": 40}');
      await calibrations.save(makeCalibration({ state }));
      expect(await calibrations.load()).toEqual([]);
      await calibrations.save(makeCalibration());
      expect(await calibrations.load()).toEqual([makeCalibration()]);
    });
  });
}
