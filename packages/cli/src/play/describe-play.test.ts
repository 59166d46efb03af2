import { expect, it } from "vitest";
import { styleOf } from "../terminal/output.ts";
import { makeTurn } from "../testing/turns.ts";
import { describePlay, figuresOf, isCondensed, turnHead, turnLine } from "./describe-play.ts";

const turns = [
  makeTurn({ originalTokens: 800, sentTokens: 800 }),
  makeTurn({ originalTokens: 1_200, sentTokens: 500, origin: "new", strategy: "smart" }),
  makeTurn({ originalTokens: 1_300, sentTokens: 600, cachedTokens: 475, origin: "reused", strategy: "smart" }),
];

it("sums up a played session", () => {
  expect(figuresOf({ turns, windowTokens: 1_000 })).toEqual({
    turns: 3,
    refused: 0,
    windowTokens: 1_000,
    largestOriginalTokens: 1_300,
    longestSent: 800,
    overWindow: 2,
    firstOver: 2,
    deduplicated: 0,
    condensed: 1,
    reused: 1,
    originalTokens: 3_300,
    sentTokens: 1_900,
    cachedShare: 0.25,
  });
});

it("describes the figures, with costs if they are known", () => {
  const figures = { ...figuresOf({ turns, windowTokens: 1_000 }), costUsd: 2, savedUsd: -0.5, untouchedUsd: 1.5 };
  expect(describePlay(figures, styleOf({ hasColours: false }))).toBe(
    [
      "3 turns, all answered.",
      "The conversation grew to 1,300 tokens, in a window of 1,000 tokens.",
      "Without Longhaul, the session would have ended at turn 2 of 3. Largest prompt sent: 800 tokens.",
      "Condensed once, and 1 turn reused a result.",
      "Tokens: 3,300 received, 1,900 sent (-42.4%), 25% of them from the vendor's prompt cache.",
      "Cost at list prices: $2.00 (+33.3%); without condensing, in an unlimited window: $1.50.",
      "",
    ].join("\n"),
  );
  expect(describePlay(figuresOf({ turns: [], windowTokens: 1_000 }), styleOf({ hasColours: false }))).toMatch(
    /^0 turns, all answered\..*It never outgrew the window\..*Not condensed\.\n/s,
  );
});

it("distinguishes deduplication from condensing", () => {
  const deduplicated = [
    makeTurn({ originalTokens: 500, sentTokens: 500 }),
    makeTurn({ originalTokens: 900, sentTokens: 600, origin: "new", strategy: "smart" }),
  ];
  const figures = figuresOf({ turns: deduplicated, windowTokens: 1_000 });
  expect(describePlay(figures, styleOf({ hasColours: false }))).toContain(
    "\nRepeated lines were sent as references in 1 turn; not condensed.\n",
  );
});

it("uses the singular for one turn", () => {
  const figures = figuresOf({ turns: turns.slice(1, 2), windowTokens: 1_000 });
  expect(describePlay(figures, styleOf({ hasColours: false }))).toContain(
    "\nWithout Longhaul, the session would have ended at turn 1 of 1.",
  );
});

it("shows the number of rejected turns", () => {
  const figures = figuresOf({ turns, refusals: ["too long"], windowTokens: 1_000 });
  expect(describePlay(figures, styleOf({ hasColours: false }))).toMatch(/^3 turns answered, 1 rejected\.\n/);
});

it("makes no claim about the window if a turn was rejected", () => {
  const [rejected, answered] = [[], turns.slice(0, 1)].map((answered) =>
    describePlay(
      figuresOf({ turns: answered, refusals: ["too long"], windowTokens: 1_000 }),
      styleOf({ hasColours: false }),
    ),
  );
  expect(rejected).toBe("0 turns answered, 1 rejected.\n");
  expect(answered).toContain("in a window of 1,000 tokens.\nLargest prompt sent: 800 tokens.\n");
});

const style = styleOf({ hasColours: false });
const context = { number: 7, what: "run npm test", windowTokens: 1_000 };

it("shows a turn that fits", () => {
  const line = turnLine(makeTurn({ originalTokens: 500, sentTokens: 500 }), context, style);
  expect(line).toBe("   7  run npm test                             500       500  ██████████          │  50%\n");
});

it("aligns columns with their heads", () => {
  const line = turnLine(makeTurn({ originalTokens: 500, sentTokens: 500 }), context, style);
  expect(turnHead(style).indexOf("Received") + "Received".length).toBe(line.indexOf("500") + 3);
});

it("marks a conversation that exceeds the window and shows how it was condensed", () => {
  const turn = makeTurn({ originalTokens: 1_500, sentTokens: 400, origin: "new", strategy: "smart" });
  const line = turnLine(turn, { ...context, before: makeTurn({ sentTokens: 900 }) }, style);
  expect(line).toContain("████████▒▒▒▒▒▒▒▒▒▒▒▒›  40%  condensed with smart, -1,100 tokens\n");
});

it("distinguishes condensed, reused and deduplicated turns", () => {
  const reused = makeTurn({ originalTokens: 1_500, sentTokens: 450, origin: "reused", strategy: "smart" });
  const later = { ...context, before: makeTurn({ sentTokens: 400 }), isAfterCondensation: true };
  expect(turnLine(reused, later, style)).toContain("reused, -1,050");
  const referred = { ...reused, origin: "new" } as const;
  expect(turnLine(referred, { ...context, before: makeTurn({ sentTokens: 400 }) }, style)).toContain(
    "deduplicated, -1,050",
  );
  const grown = makeTurn({ originalTokens: 400, sentTokens: 410, origin: "new" });
  expect(turnLine(grown, context, style)).toMatch(/41%\n$/);
});

it.each([80, 100, 127])("fits a terminal of %i columns", (columns) => {
  const narrow = styleOf({ hasColours: false, columns });
  const turn = makeTurn({ originalTokens: 12_345_678, sentTokens: 1_234_567, origin: "new", strategy: "smart" });
  const large = { ...context, number: 1_234, what: "x".repeat(80), windowTokens: 1_234_567 };
  const lines = [
    ...turnHead(narrow).split("\n"),
    turnLine(turn, { ...large, before: makeTurn({ sentTokens: 9e6 }) }, narrow),
    turnLine(turn, large, narrow),
  ].map((line) => line.trimEnd());
  expect(lines.filter(({ length }) => length > columns)).toEqual([]);
  expect(lines.at(-1)).toMatch(/100% {2}deduplicated$|100% {2}condensed$/);
});

it("shortens text that is too long for its column", () => {
  const line = turnLine(makeTurn({}), { ...context, what: "x".repeat(80) }, style);
  expect(line).toContain(`${"x".repeat(33)}… `);
});

it.each([
  ["a summary written in the background", { origin: "reused", sentTokens: 400 }, true],
  ["a new condensed form", { origin: "new", sentTokens: 400 }, true],
  ["a new condensed form larger than the previous turn", { origin: "new", sentTokens: 950 }, true],
  ["new references", { origin: "new", strategy: "lossless", sentTokens: 950 }, false],
  ["a condensation by a strategy with references", { origin: "new", strategy: "lossless", sentTokens: 880 }, true],
  ["a reused form", { origin: "reused", sentTokens: 950 }, false],
  ["a conversation that starts over", { origin: "", sentTokens: 10 }, false],
] as const)("classifies %s", (_, turn, expected) => {
  expect(isCondensed(makeTurn({ originalTokens: 1_000, ...turn }), makeTurn({ sentTokens: 900 }))).toBe(expected);
});

it("compares with the received tokens if there is no previous turn", () => {
  expect(isCondensed(makeTurn({ origin: "new", originalTokens: 1_000, sentTokens: 400 }), undefined)).toBe(true);
});
