import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pathTo } from "./thread.ts";

function path(parents: readonly (string | null | undefined)[], leaf: number): number[] {
  const nodes = parents.map((parent, index) => ({ id: `${index}`, parent }));
  return [...pathTo(nodes, leaf)].sort((a, b) => a - b);
}

describe("pathTo", () => {
  it("follows parents to the root and skips other branches", () => {
    expect(path([null, "0", "0", "2"], 3)).toEqual([0, 2, 3]);
  });

  it("follows the order if the parent is missing or unknown", () => {
    expect(path([undefined, undefined, "lost"], 2)).toEqual([0, 1, 2]);
  });

  it("is empty without a leaf", () => {
    expect(path([], -1)).toEqual([]);
  });

  it("terminates for any parents", () => {
    const parent = fc.oneof(fc.nat(9).map(String), fc.constantFrom(null, undefined));
    fc.assert(
      fc.property(fc.array(parent, { minLength: 1, maxLength: 9 }), (parents) => {
        expect(path(parents, parents.length - 1)).toContain(parents.length - 1);
      }),
    );
  });
});
