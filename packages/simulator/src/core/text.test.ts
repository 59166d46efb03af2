import fc from "fast-check";
import { expect, it } from "vitest";
import { digest, idFrom, piecesOf, prefixHashes } from "./text.ts";

it("distinguishes texts by their boundaries", () => {
  expect(digest("ab", "c")).toBe(digest("ab", "c"));
  expect(digest("ab", "c")).not.toBe(digest("a", "bc"));
});

it("hashes every prefix", () => {
  const [first, second, third] = prefixHashes("seed", ["a", "b", "c"]);
  expect(prefixHashes("seed", ["a", "b"])).toEqual([first, second]);
  expect(prefixHashes("seed", ["x", "b", "c"])[2]).not.toBe(third);
  expect(prefixHashes("other", ["a"])[0]).not.toBe(first);
});

it("makes the same id from the same texts, in the vendors' alphabet", () => {
  expect(idFrom("msg_", "a", "b")).toBe(idFrom("msg_", "a", "b"));
  expect(idFrom("toolu_", "a")).toMatch(/^toolu_[a-z0-9]{24}$/);
  expect(idFrom("msg_", "a")).not.toBe(idFrom("msg_", "b"));
});

it("splits into well-formed pieces of about the size, which join to the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 9 }), (text, chars) => {
      const pieces = piecesOf(text, chars);
      expect(pieces.join("")).toBe(text);
      expect(pieces.every((piece) => piece.length > 0 && piece.length <= chars + 1 && piece.isWellFormed())).toBe(true);
    }),
  );
});
