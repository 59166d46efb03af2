import fc from "fast-check";
import { expect, it } from "vitest";
import { claudeImage, claudeLargeImage, geminiImage, imageSize, openaiImage, openaiTiles } from "./images.ts";

/** Bytes given as `at: value` over zeros, in base64. */
function makeHeader(length: number, parts: Readonly<Record<number, string | readonly number[]>>): string {
  const bytes = Buffer.alloc(length);
  for (const [at, part] of Object.entries(parts)) Buffer.from(part as string, "latin1").copy(bytes, Number(at));
  return bytes.toString("base64");
}

const PNG = makeHeader(64, { 0: "\x89PNG\r\n\x1a\n", 12: "IHDR", 16: [0, 0, 4, 0, 0, 0, 3, 1] });
const GIF = makeHeader(64, { 0: "GIF89a", 6: [0x40, 0x01, 0xf0, 0x00] });
const WEBP = { 0: "RIFF", 8: "WEBP" };
const LOSSY = makeHeader(64, { ...WEBP, 12: "VP8 ", 23: [0x9d, 0x01, 0x2a, 0x20, 0x03, 0x58, 0x02] });
const LOSSLESS = makeHeader(64, { ...WEBP, 12: "VP8L", 20: [0x2f, 0x1f, 0xc3, 0x95, 0x00] });
const EXTENDED = makeHeader(64, { ...WEBP, 12: "VP8X", 24: [0xff, 0x0f, 0x00, 0x37, 0x04, 0x00] });

/** A JPEG whose size follows a preview of `previewBytes`. */
function makeJpeg(previewBytes: number): string {
  const preview = Buffer.alloc(previewBytes + 4);
  preview.set([0xff, 0xe1, (previewBytes + 2) >> 8, (previewBytes + 2) & 0xff]);
  const overhead = [0xff, 0xc2, 0, 17, 8, 0x02, 0x58, 0x03, 0x20, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1];
  return Buffer.concat([Buffer.from([0xff, 0xd8]), preview, Buffer.from(overhead), Buffer.alloc(40)]).toString(
    "base64",
  );
}

it.each([
  ["PNG", PNG, { width: 1024, height: 769 }],
  ["GIF", GIF, { width: 320, height: 240 }],
  ["lossy WebP", LOSSY, { width: 800, height: 600 }],
  ["lossless WebP", LOSSLESS, { width: 800, height: 600 }],
  ["extended WebP", EXTENDED, { width: 4096, height: 1080 }],
  ["JPEG", makeJpeg(20), { width: 800, height: 600 }],
  ["JPEG with a large preview", makeJpeg(60_000), { width: 800, height: 600 }],
])("reads the size of a %s", (_format, data, size) => {
  expect(imageSize(data)).toEqual(size);
});

it.each([
  ["nothing", ""],
  ["a few bytes", "iVBORw0KGgo="],
  ["a text", Buffer.from("This is no image at all, whatever its media type may say.").toString("base64")],
  ["a JPEG that is cut off", makeJpeg(60_000).slice(0, 1_000)],
  ["a PNG without an area", makeHeader(64, { 0: "\x89PNG\r\n\x1a\n", 12: "IHDR" })],
])("returns undefined for %s", (_what, data) => {
  expect(imageSize(data)).toBeUndefined();
});

it("accepts any bytes without failing", () => {
  const start = fc.constantFrom([], [0xff, 0xd8, 0xff], [0x47, 0x49, 0x46, 0x38], [0x89, 0x50, 0x4e, 0x47]);
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 200 }), (magic, rest) => {
      const size = imageSize(Buffer.from([...magic, ...rest]).toString("base64"));
      expect(size === undefined || (size.width > 0 && size.height > 0)).toBe(true);
    }),
  );
});

it.each([
  [256, 256, 100, 100],
  [512, 512, 361, 361],
  [1024, 1024, 1_369, 1_369],
  [1920, 1080, 1_568, 2_691],
  [8000, 8000, 1_568, 4_784],
])("counts an image of %i by %i in patches of 28 pixels on Claude", (width, height, older, newer) => {
  expect([claudeImage({ width, height }, "auto"), claudeLargeImage({ width, height }, "auto")]).toEqual([older, newer]);
});

it.each([
  [1024, 1024, 765],
  [2048, 4096, 1_105],
  [512, 512, 255],
  [128, 64, 255],
])("counts an image of %i by %i in tiles on GPT-4o", (width, height, tokens) => {
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
  "counts an image of %i by %i in %s detail by the more expensive of OpenAI's rules",
  (width, height, detail, tokens) => {
    expect(openaiImage({ width, height }, detail)).toBe(tokens);
  },
);

it("counts an image as a fixed number of tokens on Gemini, or more by tiles", () => {
  expect(geminiImage({ width: 300, height: 300 }, undefined)).toBe(1_120);
  expect(geminiImage({ width: 1920, height: 1080 }, undefined)).toBe(6 * 258);
});

it("counts an image of unknown size like a large one", () => {
  const rules = [claudeImage, claudeLargeImage, openaiTiles, openaiImage, geminiImage];
  expect(rules.map((rule) => rule(undefined, undefined))).toEqual([1_568, 4_784, 1_445, 3_000, 1_120]);
});

it("never counts a larger image lower", () => {
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
