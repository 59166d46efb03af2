import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anchorAt, rowEnds, topOf, visibleRows } from "./long-list.tsx";

describe("visibleRows", () => {
  it("returns the rows in the viewport", () => {
    const ends = rowEnds([10, 20, 30, 40, 50]);
    expect(visibleRows(ends, { top: 15, height: 20, margin: 0 })).toEqual({ from: 1, to: 3, offset: 10, height: 150 });
  });

  it("returns no rows for an empty list", () => {
    expect(visibleRows(rowEnds([]), { top: 0, height: 100, margin: 10 })).toEqual({
      from: 0,
      to: 0,
      offset: 0,
      height: 0,
    });
  });

  it("covers the viewport, and returns no more rows than fit with the margin", () => {
    const heights = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(heights, fc.nat(10_000), fc.nat(1_000), fc.nat(300), (all, top, height, margin) => {
        const ends = rowEnds(all);
        const { from, to, offset } = visibleRows(ends, { top, height, margin });
        const drawnTo = ends[to - 1] ?? 0;
        const total = ends.at(-1) ?? 0;
        expect(offset).toBe(all.slice(0, from).reduce((sum, value) => sum + value, 0));
        expect(from === all.length || offset <= Math.max(0, top)).toBe(true);
        expect(drawnTo >= Math.min(total, top + height) || from === all.length).toBe(true);
        expect(drawnTo - offset).toBeLessThanOrEqual(height + 2 * margin + 400);
      }),
    );
  });
});

describe("anchorAt", () => {
  it("keeps the visible row in place when rows above it change their height", () => {
    const anchor = anchorAt(rowEnds([10, 20, 30, 40]), 35);
    expect(topOf(rowEnds([50, 5, 30, 40]), anchor)).toBe(60);
  });

  it("returns to the same scroll position when no height has changed", () => {
    const heights = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(heights, fc.nat(10_000), (all, top) => {
        const ends = rowEnds(all);
        expect(topOf(ends, anchorAt(ends, top))).toBe(top);
      }),
    );
  });

  it("stays at the top of an empty list", () => {
    expect(topOf(rowEnds([]), anchorAt(rowEnds([]), 0))).toBe(0);
  });
});
