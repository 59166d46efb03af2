import fc from "fast-check";
import { expect, it } from "vitest";
import { makeVocabulary } from "../../testing/make-vocabulary.ts";
import { Merge } from "./merge.ts";
import { PieceCache } from "./piece-cache.ts";

const VOCABULARY = makeVocabulary(["a", "b", "ab", "abab"]);

it("gives the same counts as the merge, first and again, for pieces of any length", () => {
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

it("keeps counting right when pieces push each other out", () => {
  const merge = new Merge(VOCABULARY);
  const cache = new PieceCache(merge);
  const pieces = Array.from({ length: 100_000 }, (_, serial) =>
    Buffer.from(serial.toString(2).padStart(17, "0").replaceAll("0", "a").replaceAll("1", "b")),
  );
  const counts = pieces.map((bytes) => cache.count(bytes, 0, bytes.length));
  const wrong = pieces.filter((bytes, index) => cache.count(bytes, 0, bytes.length) !== counts[index]);
  expect(wrong).toEqual([]);
  expect(counts.slice(0, 50)).toEqual(pieces.slice(0, 50).map((bytes) => merge.count(bytes, 0, bytes.length)));
});
