import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KeyLimits } from "../contract/keys.ts";
import type { KeyUse } from "../contract/limits.ts";
import type { Opening } from "./describe-store.ts";
import { makeLimitEntry } from "./make.ts";
import { anyLimitsOperation, limitsAfter, makeMapLimits } from "./map-limits.ts";

const MINUTE_MS = 60_000;
const NOTHING: KeyUse = { requestsThisMinute: 0, underWay: 0, usdToday: 0, usdThisMonth: 0 };

/** What every store of limits has to do. */
export function describeLimits({ open, openTwo }: Opening): void {
  describe("limits", () => {
    it("count every request of a key that has none", async () => {
      const { limits } = await open();
      await limits.enter(makeLimitEntry());
      const verdict = await limits.enter(makeLimitEntry({ requestId: "second" }));
      expect(verdict).toStrictEqual({ used: { ...NOTHING, requestsThisMinute: 2, underWay: 2 } });
      expect(await limits.used("other", 0)).toStrictEqual(NOTHING);
    });

    it("count a request once, however often it enters", async () => {
      const { limits } = await open();
      await limits.enter(makeLimitEntry({ limits: { concurrent: 1 } }));
      const again = await limits.enter(makeLimitEntry({ limits: { concurrent: 1 } }));
      expect(again).toStrictEqual({ used: { ...NOTHING, requestsThisMinute: 1, underWay: 1 } });
    });

    it.each<[keyof KeyLimits, number, string]>([
      ["concurrent", 1, "2026-03-31T23:59:59.999Z"],
      ["requestsPerMinute", 1, "2026-03-31T23:59:59.999Z"],
      ["usdPerDay", 0.5, "2026-03-31T23:59:59.999Z"],
      ["usdPerMonth", 0.5, "2026-03-31T23:59:59.999Z"],
    ])("refuse by %s what is over it, until its time is over", async (name, limit, last) => {
      const { limits } = await open();
      const nowMs = Date.parse(last);
      const entry = makeLimitEntry({ nowMs, expiresAtMs: nowMs + 1, limits: { [name]: limit } });
      await limits.leave("key", "earlier", { usd: 0.5, atMs: nowMs });
      await limits.enter({ ...entry, limits: {} });
      const refused = await limits.enter({ ...entry, requestId: "second" });
      const used = { requestsThisMinute: 1, underWay: 1, usdToday: 0.5, usdThisMonth: 0.5 };
      expect(refused).toStrictEqual({ refusedBy: name, used });
      expect(await limits.used("key", nowMs)).toStrictEqual(used);
      const later = await limits.enter({ ...entry, requestId: "third", nowMs: nowMs + 1, expiresAtMs: nowMs + 2 });
      expect(later).toStrictEqual({ used: { ...NOTHING, requestsThisMinute: 1, underWay: 1 } });
    });

    it("refuse everything where nothing is allowed, and name what lasts longest", async () => {
      const { limits } = await open();
      const none = { requestsPerMinute: 0, concurrent: 0, usdPerDay: 0, usdPerMonth: 0 };
      expect(await limits.enter(makeLimitEntry({ limits: none }))).toStrictEqual({
        refusedBy: "usdPerMonth",
        used: NOTHING,
      });
    });

    it("let exactly as many in as there are places, of many at once", async () => {
      const handles = await openTwo();
      const entries = Array.from({ length: 20 }, (_, index) =>
        makeLimitEntry({
          requestId: `request-${index}`,
          nowMs: index * MINUTE_MS,
          expiresAtMs: 20 * MINUTE_MS,
          limits: { concurrent: 7 },
        }),
      );
      const entering = entries.map((entry, index) => handles[index % 2 === 0 ? 0 : 1].limits.enter(entry));
      const verdicts = await Promise.all(entering);
      expect(verdicts.filter(({ refusedBy }) => refusedBy === undefined)).toHaveLength(7);
      expect(await handles[0].limits.used("key", 0)).toMatchObject({ underWay: 7 });
    });

    it("lose no cost of many that leave at once", async () => {
      const handles = await openTwo();
      const leaving = Array.from({ length: 20 }, (_, index) =>
        handles[index % 2 === 0 ? 0 : 1].limits.leave("key", `request-${index}`, { usd: 0.25, atMs: 0 }),
      );
      await Promise.all(leaving);
      expect(await handles[0].limits.used("key", 0)).toStrictEqual({ ...NOTHING, usdToday: 5, usdThisMonth: 5 });
    });

    it("hold a place for a request while it is renewed", async () => {
      const { limits } = await open();
      for (const requestId of ["first", "second", "third"]) await limits.enter(makeLimitEntry({ requestId }));
      await limits.renew("key", ["first", "third", "absent"], 2 * MINUTE_MS);
      await limits.renew("key", [], 9 * MINUTE_MS);
      await limits.renew("other", ["second"], 9 * MINUTE_MS);
      const at = async (nowMs: number) => (await limits.used("key", nowMs)).underWay;
      expect([await at(0), await at(MINUTE_MS), await at(2 * MINUTE_MS)]).toEqual([3, 2, 0]);
    });

    it("agree with a plain list over any operations", async () => {
      const { limits } = await open();
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(anyLimitsOperation(), { maxLength: 25 }), async (operations) => {
          const run = runs++;
          const expected = await limitsAfter(operations, makeMapLimits(), run);
          expect(await limitsAfter(operations, limits, run)).toEqual(expected);
        }),
        { numRuns: 50 },
      );
    });
  });
}
