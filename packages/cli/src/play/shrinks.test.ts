import { expect, it } from "vitest";
import { makeTurn } from "../testing/turns.ts";
import { shrinks } from "./shrinks.ts";

it.each([
  ["a summary that was written in the background", { origin: "reused", sentTokens: 400 }, true],
  ["what was condensed for it", { origin: "new", sentTokens: 400 }, true],
  ["what was condensed for it and is no smaller than the turn before", { origin: "new", sentTokens: 950 }, true],
  ["references to what is new in it", { origin: "new", strategy: "lossless", sentTokens: 950 }, false],
  ["a condensation by a strategy that refers, too", { origin: "new", strategy: "lossless", sentTokens: 880 }, true],
  ["what is used again", { origin: "reused", sentTokens: 950 }, false],
  ["a conversation that begins anew", { origin: "", sentTokens: 10 }, false],
] as const)("knows %s", (_, turn, expected) => {
  expect(shrinks(makeTurn({ cameTokens: 1_000, ...turn }), makeTurn({ sentTokens: 900 }))).toBe(expected);
});

it("goes by what came where there is no turn before", () => {
  expect(shrinks(makeTurn({ origin: "new", cameTokens: 1_000, sentTokens: 400 }), undefined)).toBe(true);
});
