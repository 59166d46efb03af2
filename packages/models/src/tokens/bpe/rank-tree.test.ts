import fc from "fast-check";
import { expect, it } from "vitest";
import { RankTree } from "./rank-tree.ts";
import { NO_RANK } from "./vocabulary.ts";

function makeTree(ranks: readonly number[]): RankTree {
  const tree = new RankTree();
  tree.reset(ranks.length);
  for (const [position, rank] of ranks.entries()) tree.put(position, rank);
  tree.build();
  return tree;
}

/** By looking at all of them. */
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

it("forgets what it held when it starts over", () => {
  const tree = makeTree([1, 2, 3, 4]);
  tree.reset(3);
  for (const [position, rank] of [NO_RANK, 9, NO_RANK].entries()) tree.put(position, rank);
  tree.build();
  expect(tree.lowest()).toBe(1);
});

it("takes more ranks than it keeps room for", () => {
  const ranks = Array.from({ length: 10_000 }, (_, position) => 20_000 - position);
  const tree = makeTree(ranks);
  expect(tree.lowest()).toBe(9_999);
  tree.release();
  tree.reset(1);
  tree.put(0, 5);
  tree.build();
  expect(tree.lowest()).toBe(0);
});
