import fc from "fast-check";
import { expect, it } from "vitest";
import { claudeImage, claudeLargeImage, geminiImage, openaiImage, openaiTiles } from "./image-tokens.ts";

it.each([
  [256, 256, 100, 100],
  [512, 512, 361, 361],
  [1024, 1024, 1_369, 1_369],
  [1920, 1080, 1_568, 2_691],
  [8000, 8000, 1_568, 4_784],
])("takes a picture of %i by %i for a patch of 28 pixels each on Claude", (width, height, older, newer) => {
  expect([claudeImage({ width, height }, "auto"), claudeLargeImage({ width, height }, "auto")]).toEqual([older, newer]);
});

it.each([
  [1024, 1024, 765],
  [2048, 4096, 1_105],
  [512, 512, 255],
  [128, 64, 255],
])("takes a picture of %i by %i for tiles on GPT-4o", (width, height, tokens) => {
  expect(openaiTiles({ width, height }, "high")).toBe(tokens);
  expect(openaiTiles({ width, height }, "low")).toBe(85);
});

it.each([
  [1024, 1024, "auto", 1_229],
  [1920, 1080, "auto", 2_448],
  [2560, 1440, "original", 4_320],
  [3840, 2160, "auto", 9_792],
  [3840, 2160, "high", 3_000],
  [3840, 2160, "low", 173],
  [128, 64, "auto", 255],
] as const)(
  "takes a picture of %i by %i in %s detail for what the dearer of OpenAI's rules says",
  (width, height, detail, tokens) => {
    expect(openaiImage({ width, height }, detail)).toBe(tokens);
  },
);

it("takes a picture for a fixed number of tokens on Gemini, and more only where tiles are more", () => {
  expect(geminiImage({ width: 300, height: 300 }, undefined)).toBe(1_120);
  expect(geminiImage({ width: 1920, height: 1080 }, undefined)).toBe(6 * 258);
});

it("takes a picture of unknown size for what a large one usually costs", () => {
  const rules = [claudeImage, claudeLargeImage, openaiTiles, openaiImage, geminiImage];
  expect(rules.map((rule) => rule(undefined, undefined))).toEqual([1_568, 4_784, 1_445, 3_000, 1_120]);
});

it("never takes a larger picture for less", () => {
  const side = fc.integer({ min: 1, max: 1_000 });
  fc.assert(
    fc.property(side, side, fc.nat(500), (width, height, more) => {
      for (const rule of [claudeImage, claudeLargeImage, openaiImage, geminiImage]) {
        const larger = rule({ width: width + more, height: height + more }, "auto");
        expect(larger).toBeGreaterThanOrEqual(rule({ width, height }, "auto"));
      }
    }),
  );
});
