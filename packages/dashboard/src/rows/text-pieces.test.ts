import fc from "fast-check";
import { expect, it } from "vitest";
import { textPieces } from "./text-pieces.ts";

it("leaves a short text whole", () => {
  expect(textPieces("a\nb")).toEqual(["a\nb"]);
  expect(textPieces("")).toEqual([]);
});

it("cuts between lines", () => {
  const line = `${"x".repeat(1_499)}\n`;
  expect(textPieces(line.repeat(5))).toEqual([line.repeat(2), line.repeat(2), line]);
});

it("cuts a line that is too long, but no character", () => {
  const pieces = textPieces(`a${"😀".repeat(3_000)}`);
  expect(pieces.map(({ length }) => length)).toEqual([3_999, 2_002]);
  expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
});

it("loses nothing", () => {
  const texts = fc.array(fc.tuple(fc.constantFrom("a", "\n", "é😀", " "), fc.nat(5_000)));
  fc.assert(
    fc.property(texts, (runs) => {
      const text = runs.map(([unit, count]) => unit.repeat(count)).join("");
      const pieces = textPieces(text);
      expect(pieces.join("")).toBe(text);
      expect(pieces.every(({ length }) => length > 0 && length <= 4_000)).toBe(true);
    }),
  );
});
