import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LineFormat } from "../edits/edit.ts";
import {
  addLineFormat,
  lineFormatsFrom,
  pairLines,
  readLineNumber,
  reformatLines,
  removeLineFormat,
  withoutLineNumbers,
} from "./line-format.ts";

const arrows: LineFormat = { numbering: { first: 9, width: 6, separator: "→" } };
const bars: LineFormat = { numbering: { first: 99, width: 3, separator: " | " }, ending: "\r" };

const anyDressing: fc.Arbitrary<LineFormat> = fc
  .record({
    numbering: fc.option(
      fc.record({
        first: fc.nat(1200),
        width: fc.constantFrom(0, 3, 6),
        separator: fc.constantFrom("→", "\t", " | ", "|", ":", ": "),
      }),
    ),
    isReturned: fc.boolean(),
  })
  .map(({ numbering, isReturned }) => ({
    ...(numbering === null ? {} : { numbering }),
    ...(isReturned ? { ending: "\r" as const } : {}),
  }));

describe("addLineFormat", () => {
  it("adds line numbers and endings", () => {
    expect(addLineFormat("a\n\n  b", arrows)).toBe("     9→a\n    10→\n    11→  b");
    expect(addLineFormat("a\nb", bars)).toBe(" 99 | a\r\n100 | b\r");
  });

  it("is reversed by removeLineFormat for any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "1", ":", "→", "\n", "\r", " ") }),
        anyDressing,
        (text, format) => {
          expect(removeLineFormat(addLineFormat(text, format), format)).toBe(text);
        },
      ),
    );
  });
});

describe("removeLineFormat", () => {
  it("returns undefined if a line has another format", () => {
    expect(removeLineFormat("     9→a\n    11→b", arrows)).toBeUndefined();
    expect(removeLineFormat(" 99 | a\r\n100 | b", bars)).toBeUndefined();
    expect(
      removeLineFormat(" 99 | \r", { ...bars, numbering: { first: 99, width: 3, separator: " | \r" } }),
    ).toBeUndefined();
  });
});

describe("reformatLines", () => {
  it("replaces the target's format with the reference's", () => {
    const target = addLineFormat("a\nb", arrows);
    expect(reformatLines(target, {})).toBe(target);
    expect(reformatLines(target, { targetDressing: arrows })).toBe("a\nb");
    expect(reformatLines(target, { targetDressing: arrows, dressing: bars })).toBe(" 99 | a\r\n100 | b\r");
    expect(reformatLines(target, { targetDressing: bars })).toBeUndefined();
  });
});

describe("readLineNumber", () => {
  it.each([
    ["    12→\tx", { value: 12, width: 6, separator: "→", blanks: "\t" }],
    ["12 | x", { value: 12, width: 2, separator: " |", blanks: " " }],
    ["12|x", { value: 12, width: 2, separator: "|", blanks: "" }],
    ["12:x", { value: 12, width: 2, separator: ":", blanks: "" }],
    ["     7\tx", { value: 7, width: 6, separator: "\t", blanks: "" }],
  ])("reads the number of %j", (line, number) => {
    expect(readLineNumber(line)).toEqual(number);
  });

  it.each(["x", "12", "12 x", "12. x", "\t12: x", "12345678: x", ""])("finds no number in %j", (line) => {
    expect(readLineNumber(line)).toBeUndefined();
  });
});

describe("withoutLineNumbers", () => {
  it("removes consecutive numbers from every line", () => {
    expect(withoutLineNumbers("     9→  a\n    10→")).toBe("  a\n");
    expect(withoutLineNumbers(" 9 |     a\n10 | b")).toBe("    a\nb");
    expect(withoutLineNumbers("7:  a\n8:    b")).toBe("  a\n    b");
    expect(withoutLineNumbers("7: a\n8:   b")).toBe("a\n  b");
    expect(withoutLineNumbers("9 | a\n10 | b")).toBe("a\nb");
  });

  it("keeps a text whose lines are not numbered in order", () => {
    for (const text of ["a\nb", "1: a\n3: b", "1: a\nb", ""]) expect(withoutLineNumbers(text)).toBe(text);
  });
});

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
    expect(pairLines("    12→    a", "  a")).toBeUndefined();
    expect(pairLines("  a", "    12→\t  a")).toBeUndefined();
    expect(pairLines("12 |   a", "a")).toBeUndefined();
    expect(pairLines("12 | a", "14 |  a")).toBeUndefined();
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
