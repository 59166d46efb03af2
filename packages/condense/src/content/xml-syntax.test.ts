import fc from "fast-check";
import { expect, it } from "vitest";
import { lastNonBlank, skipBlanks, trimSpan } from "./xml-syntax.ts";

const BLANK_TEXT = fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "a", "<") });

it("trims like String.trim", () => {
  fc.assert(
    fc.property(BLANK_TEXT, (text) => {
      const found = trimSpan(text, { from: 0, to: text.length });
      expect(found === undefined ? "" : text.slice(found.from, found.to)).toBe(text.trim());
    }),
  );
});

it("stays inside the span", () => {
  expect(trimSpan("a  b  c", { from: 1, to: 6 })).toEqual({ from: 3, to: 4 });
  expect(trimSpan("a  b", { from: 1, to: 3 })).toBeUndefined();
});

it("finds the next and the last non-blank character", () => {
  expect(skipBlanks("a \n b", 1)).toBe(4);
  expect(skipBlanks("a  ", 1)).toBe(3);
  expect(lastNonBlank("a \n b", 4)).toBe(0);
  expect(lastNonBlank("  ", 2)).toBe(-1);
});
