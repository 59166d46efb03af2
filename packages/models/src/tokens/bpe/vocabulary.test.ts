import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeVocabulary } from "../../testing/describe-pieces.ts";
import { hashBytes, NO_RANK, parseVocabulary } from "./vocabulary.ts";

const TOKENS = ["a", "b", "ab", "abc", "ba", "é", "abcabc", "longest token of all"];

function rankOf(text: string, tokens: readonly string[] = TOKENS): number {
  const bytes = Buffer.from(`<${text}>`);
  return makeVocabulary(tokens).rank(bytes, 1, bytes.length - 1);
}

it("finds each token by its bytes at any offset", () => {
  expect(TOKENS.map((token) => rankOf(token))).toEqual([...TOKENS.keys()]);
});

it.each(["c", "bb", "aba", "abcab", "longest token of al", "longest token of all of them"])(
  "finds no token in %j",
  (text) => {
    expect(rankOf(text)).toBe(NO_RANK);
  },
);

it("distinguishes tokens whose hashes start in the same slot", () => {
  const tokens = Array.from({ length: 5_000 }, (_, serial) => `token ${serial}`);
  const vocabulary = makeVocabulary(tokens);
  const ranks = tokens.map((token) => vocabulary.rank(Buffer.from(token), 0, token.length));
  expect(ranks).toEqual([...tokens.keys()]);
});

it("agrees with a linear search", () => {
  const token = fc.string({ unit: fc.constantFrom("a", "b", "é"), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.uniqueArray(token, { minLength: 1, maxLength: 20 }), token, (tokens, text) => {
      const rank = tokens.indexOf(text);
      expect(rankOf(text, tokens)).toBe(rank === -1 ? NO_RANK : rank);
    }),
  );
});

it("returns the rank of two bytes", () => {
  const vocabulary = makeVocabulary(TOKENS);
  expect([vocabulary.pairRank(Buffer.from("xab"), 1), vocabulary.pairRank(Buffer.from("bb"), 0)]).toEqual([2, NO_RANK]);
});

it("depends on the bytes and their order", () => {
  const hashes = ["ab", "ba", "aab", "b", "\0b"].map((text) => hashBytes(Buffer.from(text), 0, text.length));
  expect(new Set(hashes).size).toBe(hashes.length);
});

describe("parseVocabulary", () => {
  it("parses tokens in the order of their ranks", () => {
    const tokens = ["a", "bc", "\u00ff\u0000", "def"].map((token) => Buffer.from(token, "latin1"));
    const vocabulary = parseVocabulary(`! 0 ${tokens.map((token) => token.toString("base64")).join(" ")}`);
    expect(tokens.map((token) => vocabulary.rank(token, 0, token.length))).toEqual([0, 1, 2, 3]);
    expect(vocabulary.rank(Buffer.from("x"), 0, 1)).toBe(NO_RANK);
  });
});
