import { anyJson } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sameValue } from "./same-value.ts";

describe("sameValue", () => {
  it("finds a copy the same, whatever the order of its keys", () => {
    fc.assert(
      fc.property(anyJson(), (value) => {
        expect(sameValue(value, JSON.parse(JSON.stringify(value)))).toBe(true);
      }),
    );
    expect(sameValue({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  });

  it.each([
    [1, "1"],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [{ a: 1 }, { a: 1, b: null }],
    [{ a: [] }, { a: {} }],
    [null, undefined],
    [[], {}],
  ])("tells %j from %j", (left, right) => {
    expect(sameValue(left, right)).toBe(false);
    expect(sameValue(right, left)).toBe(false);
  });

  it("takes an undefined field for an absent one", () => {
    expect(sameValue({ a: undefined }, {})).toBe(true);
  });
});
