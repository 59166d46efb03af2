import fc from "fast-check";
import { expect, it } from "vitest";
import { makeVocabulary } from "../../testing/describe-pieces.ts";
import { Merge, RankTree } from "./merge.ts";
import { NO_RANK } from "./vocabulary.ts";

const LETTERS = ["a", "b", "c"];

/** Byte pair merging literally as defined. */
function countByDefinition(tokens: readonly string[], text: string): number {
  const parts = Array.from(text);
  for (;;) {
    const ranks = parts.slice(1).map((part, index) => tokens.indexOf(`${parts[index]}${part}`));
    const lowest = Math.min(...ranks.filter((rank) => rank !== -1));
    const at = ranks.indexOf(lowest);
    if (at === -1) return parts.length;
    parts.splice(at, 2, `${parts[at]}${parts[at + 1]}`);
  }
}

function count(tokens: readonly string[], text: string): number {
  const bytes = Buffer.from(`cab${text}cab`);
  return new Merge(makeVocabulary(tokens)).count(bytes, 3, bytes.length - 3);
}

it("merges the lowest rank first, the leftmost of equal ones", () => {
  const tokens = [...LETTERS, "aa", "ab", "aab"];
  expect(["aab", "aaab", "aaa", "abab", "c"].map((text) => count(tokens, text))).toEqual([1, 2, 2, 2, 1]);
});

it("matches the definition", () => {
  const longer = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 2, maxLength: 5 });
  const text = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(fc.uniqueArray(longer, { maxLength: 15 }), text, (tokens, word) => {
      expect(count([...LETTERS, ...tokens], word)).toBe(countByDefinition([...LETTERS, ...tokens], word));
    }),
    { numRuns: 1_000 },
  );
});

it("counts pieces beyond its preallocated memory, and short ones after them", () => {
  const merge = new Merge(makeVocabulary([...LETTERS, "aa", "aaaa"]));
  const long = Buffer.from("a".repeat(10_001));
  expect(merge.count(long, 0, long.length)).toBe(2_501);
  expect(merge.count(Buffer.from("aaab"), 0, 4)).toBe(3);
});

function makeTree(ranks: readonly number[]): RankTree {
  const tree = new RankTree();
  tree.reset(ranks.length);
  for (const [position, rank] of ranks.entries()) tree.put(position, rank);
  tree.build();
  return tree;
}

/** Linear search. */
function leftmostLowest(ranks: readonly number[]): number {
  const lowest = Math.min(...ranks);
  return lowest === NO_RANK ? -1 : ranks.indexOf(lowest);
}

it("finds the leftmost lowest rank, before and after changes", () => {
  const rank = fc.oneof(fc.nat(5), fc.constant(NO_RANK));
  const changes = fc.array(fc.tuple(fc.nat(), rank), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(rank, { minLength: 1, maxLength: 40 }), changes, (ranks, made) => {
      const tree = makeTree(ranks);
      expect(tree.lowest()).toBe(leftmostLowest(ranks));
      for (const [place, value] of made) {
        const position = place % ranks.length;
        ranks[position] = value;
        tree.set(position, value);
        expect(tree.lowest()).toBe(leftmostLowest(ranks));
      }
    }),
  );
});

it("is empty after a reset", () => {
  const tree = makeTree([1, 2, 3, 4]);
  tree.reset(3);
  for (const [position, rank] of [NO_RANK, 9, NO_RANK].entries()) tree.put(position, rank);
  tree.build();
  expect(tree.lowest()).toBe(1);
});

it("holds more ranks than it preallocates", () => {
  const ranks = Array.from({ length: 10_000 }, (_, position) => 20_000 - position);
  const tree = makeTree(ranks);
  expect(tree.lowest()).toBe(9_999);
  tree.release();
  tree.reset(1);
  tree.put(0, 5);
  tree.build();
  expect(tree.lowest()).toBe(0);
});
