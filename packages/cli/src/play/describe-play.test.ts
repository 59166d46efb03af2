import { expect, it } from "vitest";
import { styleOf } from "../terminal/output.ts";
import { makeTurn } from "../testing/turns.ts";
import { describePlay, figuresOf, isCondensed, turnHead, turnLine } from "./describe-play.ts";

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

const style = styleOf({ hasColours: false });
const context = { number: 7, what: "run npm test", windowTokens: 1_000 };

it("tells a turn that fits", () => {
  const line = turnLine(makeTurn({ cameTokens: 500, sentTokens: 500 }), context, style);
  expect(line).toBe("   7  run npm test                             500       500  ██████████          │  50 %\n");
});

it("has its columns under their heads", () => {
  const line = turnLine(makeTurn({ cameTokens: 500, sentTokens: 500 }), context, style);
  expect(turnHead(style).indexOf("came") + 4).toBe(line.indexOf("500") + 3);
});

it("shows what would have reached over the window, and what made it fit", () => {
  const turn = makeTurn({ cameTokens: 1_500, sentTokens: 400, origin: "new", strategy: "smart" });
  const line = turnLine(turn, { ...context, before: makeTurn({ sentTokens: 900 }) }, style);
  expect(line).toContain("████████▒▒▒▒▒▒▒▒▒▒▒▒›  40 %  condensed by smart, -1,100 tokens\n");
});

it("tells condensing apart from what is used again and from references", () => {
  const reused = makeTurn({ cameTokens: 1_500, sentTokens: 450, origin: "reused", strategy: "smart" });
  expect(turnLine(reused, { ...context, before: makeTurn({ sentTokens: 400 }) }, style)).toContain("reused, -1,050");
  const referred = { ...reused, origin: "new" } as const;
  expect(turnLine(referred, { ...context, before: makeTurn({ sentTokens: 400 }) }, style)).toContain(
    "repeats referred to, -1,050",
  );
  const grown = makeTurn({ cameTokens: 400, sentTokens: 410, origin: "new" });
  expect(turnLine(grown, context, style)).toMatch(/41 %\n$/);
});

it("shortens what is too long for its column", () => {
  const line = turnLine(makeTurn({}), { ...context, what: "x".repeat(80) }, style);
  expect(line).toContain(`${"x".repeat(33)}… `);
});

it.each([
  ["a summary that was written in the background", { origin: "reused", sentTokens: 400 }, true],
  ["what was condensed for it", { origin: "new", sentTokens: 400 }, true],
  ["what was condensed for it and is no smaller than the turn before", { origin: "new", sentTokens: 950 }, true],
  ["references to what is new in it", { origin: "new", strategy: "lossless", sentTokens: 950 }, false],
  ["a condensation by a strategy that refers, too", { origin: "new", strategy: "lossless", sentTokens: 880 }, true],
  ["what is used again", { origin: "reused", sentTokens: 950 }, false],
  ["a conversation that begins anew", { origin: "", sentTokens: 10 }, false],
] as const)("knows %s", (_, turn, expected) => {
  expect(isCondensed(makeTurn({ cameTokens: 1_000, ...turn }), makeTurn({ sentTokens: 900 }))).toBe(expected);
});

it("goes by what came where there is no turn before", () => {
  expect(isCondensed(makeTurn({ origin: "new", cameTokens: 1_000, sentTokens: 400 }), undefined)).toBe(true);
});
