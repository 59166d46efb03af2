import fc from "fast-check";
import { expect, it } from "vitest";
import { WorthHeap } from "./heap.ts";

it("gives back what was put in, the worthiest first", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (worths) => {
      const heap = new WorthHeap();
      for (const [value, worth] of worths.entries()) heap.push(value, worth);
      const popped = Array.from(worths, () => ({ top: heap.topWorth, worth: worths[heap.pop() ?? -1] }));
      expect(popped.map(({ worth }) => worth)).toEqual(worths.toSorted((a, b) => b - a));
      expect(popped.every(({ top, worth }) => top === worth)).toBe(true);
      expect([heap.size, heap.pop(), heap.topWorth]).toEqual([0, undefined, 0]);
    }),
  );
});
