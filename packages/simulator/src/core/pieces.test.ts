import fc from "fast-check";
import { expect, it } from "vitest";
import { piecesOf } from "./pieces.ts";

it("gives back the text when joined, in well-formed pieces of about the size", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 9 }), (text, chars) => {
      const pieces = piecesOf(text, chars);
      expect(pieces.join("")).toBe(text);
      expect(pieces.every((piece) => piece.length > 0 && piece.length <= chars + 1 && piece.isWellFormed())).toBe(true);
    }),
  );
});
