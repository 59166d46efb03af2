import { expect, it } from "vitest";
import { styleOf } from "../terminal/style.ts";
import { makeTurn } from "../testing/turns.ts";
import { turnHead, turnLine } from "./turn-line.ts";

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
