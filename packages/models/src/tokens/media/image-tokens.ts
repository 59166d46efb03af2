import type { ImageBlock } from "@longhaul/conversation";
import type { PixelSize } from "./image-size.ts";

/** Tokens of a picture; where its size is unknown, the most that one usually costs. */
export type ImageRule = (size: PixelSize | undefined, detail: ImageBlock["detail"]) => number;

const CLAUDE_PATCH = 28;

/** Claude: one token for each patch of 28 by 28 pixels, after scaling down (platform.claude.com vision). */
function claudeRule(longestSide: number, mostTokens: number): ImageRule {
  return (size) =>
    size === undefined ? mostTokens : Math.min(mostTokens, patches(fitSide(size, longestSide), CLAUDE_PATCH));
}

/** Up to Claude 4.6. */
export const claudeImage = claudeRule(1568, 1568);

/** Since Claude 4.7. */
export const claudeLargeImage = claudeRule(2576, 4784);

const TILE = { base: 85, each: 170, side: 512, longest: 2048, shortest: 768, unknown: 1445 };

/** GPT-4o and its time: tiles of 512 pixels, after fitting into 2048 and bringing the shorter side to 768. */
export const openaiTiles: ImageRule = (size, detail) => {
  if (detail === "low") return TILE.base;
  if (size === undefined) return TILE.unknown;
  const fitted = fitSide(size, TILE.longest);
  const scaled = scale(fitted, Math.min(1, TILE.shortest / Math.min(fitted.width, fitted.height)));
  return TILE.base + TILE.each * patches(scaled, TILE.side);
};

const PATCH = { side: 32, factor: 1.2, lowSide: 512, mostHigh: 2_500, most: 10_000, unknown: 3_000 };

/** GPT-5.2 and later: 1.2 tokens for each patch of 32 pixels. `auto` keeps the original size there. */
const openaiPatches: ImageRule = (size, detail) => {
  if (size === undefined) return PATCH.unknown;
  const fitted = detail === "low" ? fitSide(size, PATCH.lowSide) : size;
  const most = detail === "high" ? PATCH.mostHigh : PATCH.most;
  return Math.ceil(PATCH.factor * Math.min(most, patches(fitted, PATCH.side)));
};

const GEMINI_TILE = { tokens: 258, side: 768 };
const GEMINI_FLAT = 1_120;

/** Gemini 3 and later takes 1,120 tokens for any picture, earlier ones 258 for each tile of 768 pixels. */
const geminiFlat: ImageRule = () => GEMINI_FLAT;
const geminiTiles: ImageRule = (size) =>
  GEMINI_TILE.tokens * (size === undefined ? 1 : patches(size, GEMINI_TILE.side));

/** Where models of one family count differently the larger count is taken: a picture too dear costs room, one too cheap an overflow. */
function larger(one: ImageRule, other: ImageRule): ImageRule {
  return (size, detail) => Math.max(one(size, detail), other(size, detail));
}

/** GPT-4o and later. */
export const openaiImage = larger(openaiTiles, openaiPatches);

/** Every Gemini. */
export const geminiImage = larger(geminiFlat, geminiTiles);

function fitSide(size: PixelSize, longest: number): PixelSize {
  return scale(size, Math.min(1, longest / Math.max(size.width, size.height)));
}

function scale({ width, height }: PixelSize, factor: number): PixelSize {
  return { width: width * factor, height: height * factor };
}

function patches({ width, height }: PixelSize, side: number): number {
  return Math.ceil(width / side) * Math.ceil(height / side);
}
