import { describe, expect, it } from "vitest";
import { lineFormatsFrom, pairLines } from "./pairing.ts";

const number = (first: number, width: number, separator: string) => ({ numbering: { first, width, separator } });

describe("pairLines", () => {
  it.each([
    ["    12→  a", "  a", number(12, 6, "→"), {}],
    ["  a", "    12→  a", {}, number(12, 6, "→")],
    ["    12→  a", " 3 |   a", number(12, 6, "→"), number(3, 2, " | ")],
    ["12: a", "a", number(12, 0, ": "), {}],
    ["12:  a", " 12→ a", number(12, 0, ": "), number(12, 3, "→")],
    ["a\r", "a", { ending: "\r" }, {}],
    ["7 | a", "a\r", number(7, 0, " | "), { ending: "\r" }],
    ["a\r", "8 | a\r", {}, number(8, 0, " | ")],
  ])("converts %j from %j", (here, there, left, right) => {
    expect(pairLines(here, there)).toEqual({ here: left, there: right });
  });

  it("returns undefined if indentation would have to change", () => {
    expect(pairLines("  a", "a")).toBeUndefined();
    expect(pairLines("a", "\ta")).toBeUndefined();
    expect(pairLines("    12→a", "  a")).toBeUndefined();
  });
});

describe("lineFormatsFrom", () => {
  it("omits empty formats, and shifts the numbering", () => {
    expect(lineFormatsFrom({ here: {}, there: {} }, 3)).toEqual({});
    expect(lineFormatsFrom({ here: number(12, 6, "→"), there: { ending: "\r" } }, -2)).toEqual({
      dressing: number(10, 6, "→"),
      targetDressing: { ending: "\r" },
    });
  });
});
