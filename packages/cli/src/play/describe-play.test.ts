import { expect, it } from "vitest";
import { styleOf } from "../terminal/style.ts";
import { makeTurn } from "../testing/turns.ts";
import { describePlay, figuresOf } from "./describe-play.ts";

const turns = [
  makeTurn({ cameTokens: 800, sentTokens: 800 }),
  makeTurn({ cameTokens: 1_200, sentTokens: 500, origin: "new", strategy: "smart" }),
  makeTurn({ cameTokens: 1_300, sentTokens: 600, cachedTokens: 475, origin: "reused", strategy: "smart" }),
];

it("sums up what was played", () => {
  expect(figuresOf({ turns, windowTokens: 1_000 })).toEqual({
    turns: 3,
    refused: 0,
    windowTokens: 1_000,
    longestCame: 1_300,
    longestSent: 800,
    overWindow: 2,
    condensed: 1,
    reused: 1,
    cameTokens: 3_300,
    sentTokens: 1_900,
    cachedShare: 0.25,
  });
});

it("says it in words, with money where that is known", () => {
  const figures = { ...figuresOf({ turns, windowTokens: 1_000 }), costUsd: 2, savedUsd: -0.5 };
  expect(describePlay(figures, styleOf({ hasColours: false }))).toBe(
    [
      "3 turns, all of them answered.",
      "The conversation grew to 1,300 tokens; the window has 1,000.",
      "2 turns would not have fitted as they came; the longest that was sent had 800.",
      "Condensed once, reused in 1 turn: 3,300 tokens came, 1,900 were sent (-42 %), 25 % of them from the vendor's cache.",
      "Cost at the catalog's prices: $2.00; as it came, in a window that would have held it, $1.50.",
      "",
    ].join("\n"),
  );
  expect(describePlay(figuresOf({ turns: [], windowTokens: 1_000 }), styleOf({ hasColours: false }))).toContain(
    "0 turns",
  );
});

it("says of one turn that it is one", () => {
  const figures = figuresOf({ turns: turns.slice(1, 2), windowTokens: 1_000 });
  expect(describePlay(figures, styleOf({ hasColours: false }))).toContain(
    "\n1 turn would not have fitted as it came; ",
  );
});

it("says how many turns were refused", () => {
  const figures = figuresOf({ turns, refusals: ["too long"], windowTokens: 1_000 });
  expect(describePlay(figures, styleOf({ hasColours: false }))).toMatch(/^3 turns answered, 1 refused\.\n/);
});
