import { expect, it } from "vitest";
import { makeVocabulary } from "../../testing/make-vocabulary.ts";
import { makeBytePairCounter } from "./byte-pair-counter.ts";
import { o200kPieceEnd } from "./o200k-pieces.ts";

const countText = makeBytePairCounter(makeVocabulary(["a", "b", " ", "ab", " ab", "abb"]), o200kPieceEnd);

it("counts piece by piece: a token as one, other bytes merged, a lone byte as one", () => {
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

it("counts a piece that is longer than any word in parts", () => {
  const tokens = countText("ab".repeat(500_000));
  expect(tokens).toBeGreaterThanOrEqual(500_000);
  expect(tokens).toBeLessThan(500_000 * 1.01);
});
