import fc from "fast-check";
import { expect, it } from "vitest";
import { makeVocabulary } from "../../testing/describe-pieces.ts";
import { countByCharacters, makeBytePairCounter, PieceCache } from "./byte-pair-counter.ts";
import { Merge } from "./merge.ts";
import { o200kPieceEnd } from "./pieces.ts";

const countText = makeBytePairCounter(makeVocabulary(["a", "b", " ", "ab", " ab", "abb"]), o200kPieceEnd);

it("counts a token as one, merges other bytes, and counts a lone byte as one", () => {
  expect(countText("ab")).toBe(1);
  expect(countText("ab ab")).toBe(2);
  expect(countText("abba b")).toBe(2 + 2);
  expect(countText("")).toBe(0);
});

it("never merges across pieces", () => {
  expect(countText("b ab")).toBe(2);
});

it("counts long and short texts in turn", () => {
  expect([countText("ab ".repeat(120_000)), countText("ab")]).toEqual([120_001, 1]);
});

it("counts an overlong piece in parts", () => {
  const tokens = countText("ab".repeat(500_000));
  expect(tokens).toBeGreaterThanOrEqual(500_000);
  expect(tokens).toBeLessThan(500_000 * 1.01);
});

it("counts four characters as a token, rounded up", () => {
  expect(["", "a", "abcd", "abcde"].map(countByCharacters)).toEqual([0, 1, 1, 2]);
});

const VOCABULARY = makeVocabulary(["a", "b", "ab", "abab"]);

it("caches the merge's counts for pieces of any length", () => {
  const merge = new Merge(VOCABULARY);
  const cache = new PieceCache(merge);
  const piece = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 80 });
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 20 }), (pieces) => {
      for (const text of [...pieces, ...pieces]) {
        const bytes = Buffer.from(`b${text}`);
        expect(cache.count(bytes, 1, bytes.length)).toBe(merge.count(bytes, 1, bytes.length));
      }
    }),
  );
});

it("counts correctly when pieces evict each other", () => {
  const merge = new Merge(VOCABULARY);
  const cache = new PieceCache(merge);
  // Of 3,000 pieces about seventy share a slot.
  const pieces = Array.from({ length: 3_000 }, (_, serial) => makePiece(serial));
  const count = (counter: PieceCache | Merge) => pieces.map((bytes) => counter.count(bytes, 0, bytes.length));
  const expected = count(merge);
  expect([count(cache), count(cache)]).toEqual([expected, expected]);
});

/** Returns a distinct piece of 12 letters for each number. */
function makePiece(serial: number): Buffer {
  return Buffer.from(Array.from({ length: 12 }, (_, bit) => ((serial >> bit) & 1 ? "a" : "b")).join(""));
}
