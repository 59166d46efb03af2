import fc from "fast-check";
import { get_encoding } from "tiktoken";
import { describe, expect, it } from "vitest";
import { DEFAULT_SKEW, makeTokenizer } from "./tokens.ts";

const tokenizer = makeTokenizer(DEFAULT_SKEW);

const SAMPLES = {
  prose:
    `The gateway keeps a conversation alive after it has outgrown the context window of its model. It removes old tool
    results, summarizes the messages in the middle, and leaves the latest messages of the user and the model unchanged. `.repeat(
      20,
    ),
  code: `export function sum(values: readonly number[]): number {\n  let total = 0;\n  for (const value of values) {
    total += value;\n  }\n  return total;\n}\n`.repeat(20),
  json: JSON.stringify(
    Array.from({ length: 40 }, (_, id) => ({ id, name: `item ${id}`, isReady: true, path: "src/a.ts" })),
  ),
};

describe("count", () => {
  it("is about 18% above o200k for prose, code and JSON", () => {
    const encoding = get_encoding("o200k_base");
    const ratios = Object.values(SAMPLES).map((text) => tokenizer.count(text) / encoding.encode_ordinary(text).length);
    encoding.free();
    expect(Math.min(...ratios)).toBeGreaterThan(1.18 * 0.85);
    expect(Math.max(...ratios)).toBeLessThan(1.18 * 1.15);
  });

  it("grows with the skew", () => {
    expect(makeTokenizer(1.35).count(SAMPLES.code) / makeTokenizer(0.65).count(SAMPLES.code)).toBeCloseTo(1.35 / 0.65);
  });

  it("counts long unbroken runs in linear time, not as one token", () => {
    expect(tokenizer.count("a".repeat(1_000_000))).toBeGreaterThan(10_000);
  });
});

describe("take", () => {
  it("returns the longest prefix with at most this many tokens", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.nat(60), (text, tokens) => {
        const taken = tokenizer.take(text, tokens);
        expect(text.startsWith(taken)).toBe(true);
        expect(tokenizer.count(taken)).toBeLessThanOrEqual(tokens + 1e-6);
        expect(taken.isWellFormed()).toBe(true);
        if (taken !== text) expect(tokenizer.count(text.slice(0, taken.length + 2))).toBeGreaterThan(tokens - 1e-6);
      }),
    );
  });
});

describe("marks", () => {
  it("are at every multiple of the step, whatever precedes", () => {
    const text = SAMPLES.prose;
    const marks = tokenizer.marks(text, 128, 100);
    expect(marks.length).toBe(Math.floor((tokenizer.count(text) + 100) / 128));
    const sums = marks.map((at) => 100 + tokenizer.count(text.slice(0, at)));
    sums.forEach((sum, index) => {
      expect(sum).toBeLessThanOrEqual((index + 1) * 128 + 1e-6);
      expect(sum).toBeGreaterThan((index + 1) * 128 - 2);
    });
  });

  it("do not move when text is appended", () => {
    const marks = tokenizer.marks(SAMPLES.code, 64, 0);
    expect(tokenizer.marks(`${SAMPLES.code}${SAMPLES.prose}`, 64, 0).slice(0, marks.length)).toEqual(marks);
  });
});
