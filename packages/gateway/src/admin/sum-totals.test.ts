import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noTotals, sumByGroup, sumTotals } from "./sum-totals.ts";

describe("sums", () => {
  it("adds up every figure", () => {
    const one = Object.fromEntries(
      Object.entries(noTotals(5, "a")).map(([name, value]) => [name, typeof value === "number" ? 1 : value]),
    );
    const totals = { ...noTotals(1, "a"), ...one };
    const { atMs, group, ...figures } = sumTotals([totals, totals, totals], "all");
    expect([atMs, group]).toEqual([1, "all"]);
    expect(new Set(Object.values(figures))).toEqual(new Set([3]));
    expect(Object.keys(figures)).toHaveLength(14);
  });

  it("loses nothing between groups", () => {
    const any = fc.record({ group: fc.constantFrom("a", "b", ""), requests: fc.nat(100) });
    fc.assert(
      fc.property(fc.array(any), (rows) => {
        const all = rows.map((row) => ({ ...noTotals(0, row.group), ...row }));
        const summed = sumByGroup(all);
        expect(sumTotals(summed, "").requests).toBe(sumTotals(all, "").requests);
        expect(summed).toHaveLength(new Set(rows.map(({ group }) => group)).size);
      }),
    );
  });
});
