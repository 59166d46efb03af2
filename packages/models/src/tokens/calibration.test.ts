import { makeConversation, makeDocument, makeImage, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Calibration, calibrate, hasMedia, readCalibration, startCalibration } from "./calibration.ts";

const anyCalibration: fc.Arbitrary<Calibration> = fc.record({
  ratio: fc.double({ min: 0.5, max: 2.5, noNaN: true }),
  tokens: fc.nat(100_000),
  learnt: fc.nat(),
  ignored: fc.nat(),
});
const tokens = fc.integer({ min: 1, max: 1_000_000 });

describe("calibrate", () => {
  it("moves the ratio toward the report", () => {
    const start = startCalibration(1.2);
    expect(calibrate(start, { estimated: 1_000, reported: 1_100, hasMedia: false }).ratio).toBeCloseTo(1.32);
    expect(calibrate(start, { estimated: 1_000, reported: 900, hasMedia: false }).ratio).toBeCloseTo(1.08);
  });

  it("moves by at most 15%, stays within 0.5 and 2.5, and counts each report once", () => {
    fc.assert(
      fc.property(anyCalibration, tokens, tokens, fc.boolean(), (calibration, estimated, reported, media) => {
        const next = calibrate(calibration, { estimated, reported, hasMedia: media });
        expect(Math.abs(next.ratio / calibration.ratio - 1)).toBeLessThanOrEqual(0.15 + 1e-9);
        expect(next.ratio).toBeGreaterThanOrEqual(0.5);
        expect(next.ratio).toBeLessThanOrEqual(2.5);
        const reports = next.learnt + next.ignored - calibration.learnt - calibration.ignored;
        expect(reports).toBe(media || Math.max(estimated, reported) < 500 ? 0 : 1);
      }),
    );
  });

  it("is the mean of the samples, weighted by tokens, in any order", () => {
    const growth = fc.record({
      text: fc.integer({ min: 1_000, max: 4_000 }),
      truth: fc.double({ min: 1, max: 1.14, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(growth, { minLength: 1, maxLength: 20 }), (growths) => {
        let calibration = startCalibration(1.1);
        for (const { text, truth } of growths) {
          const sample = { estimated: text * calibration.ratio, reported: text * truth, hasMedia: false };
          calibration = calibrate(calibration, sample);
        }
        const sum = (of: (each: (typeof growths)[number]) => number) =>
          growths.reduce((all, each) => all + of(each), 0);
        const mean = sum(({ text, truth }) => text * truth) / sum(({ text }) => text);
        // Weights are in tokens as counted at the time, which shifts slightly with the ratio.
        expect(Math.abs(calibration.ratio / mean - 1)).toBeLessThan(0.01);
      }),
    );
  });

  it("hardly moves for one outlier after many samples, but moves for several", () => {
    let calibration: Calibration = { ratio: 1.2, tokens: 100_000, learnt: 40, ignored: 0 };
    const odd = { estimated: 2_000, reported: 3_000, hasMedia: false };
    calibration = calibrate(calibration, odd);
    expect(calibration.ratio / 1.2 - 1).toBeLessThan(0.01);
    for (let reply = 0; reply < 100; reply++) calibration = calibrate(calibration, odd);
    expect(calibration.ratio / 1.2 - 1).toBeGreaterThan(0.15);
    expect(calibration.tokens).toBe(100_000);
  });

  it("never moves away from the report", () => {
    fc.assert(
      fc.property(anyCalibration, tokens, tokens, (calibration, estimated, reported) => {
        const change = calibrate(calibration, { estimated, reported, hasMedia: false }).ratio - calibration.ratio;
        expect(change * Math.sign(reported - estimated)).toBeGreaterThanOrEqual(-1e-9);
      }),
    );
  });

  it("finds the true ratio within ten replies, if it is in range", () => {
    const factor = fc.double({ min: 0.55, max: 1.9, noNaN: true });
    fc.assert(
      fc.property(factor, fc.integer({ min: 1_000, max: 100_000 }), (truth, text) => {
        let calibration = startCalibration(1);
        for (let reply = 0; reply < 10; reply++) {
          const sample = { estimated: text * calibration.ratio, reported: text * truth, hasMedia: false };
          calibration = calibrate(calibration, sample);
        }
        expect(calibration.ratio).toBeCloseTo(truth);
      }),
    );
  });

  it.each([
    ["under half", 1_000, 499],
    ["over twice", 1_000, 2_001],
    ["no report at all", 1_000, 0],
    ["nothing estimated", 0, 1_000],
    ["no number", 1_000, Number.NaN],
  ])("ignores and counts an implausible report: %s", (_what, estimated, reported) => {
    const start = startCalibration(1.2);
    expect(calibrate(start, { estimated, reported, hasMedia: false })).toEqual({ ...start, ignored: 1 });
  });

  it("ignores short prompts, however many", () => {
    const start = startCalibration(1.2);
    const greeting = { estimated: 9, reported: 15, hasMedia: false };
    expect(calibrate(calibrate(start, greeting), greeting)).toBe(start);
    expect(calibrate(start, { estimated: 499, reported: 450, hasMedia: false })).toBe(start);
    expect(calibrate(start, { estimated: 500, reported: 450, hasMedia: false }).learnt).toBe(1);
  });

  it("ignores prompts with images or documents", () => {
    const start = startCalibration(1.2);
    expect(calibrate(start, { estimated: 1_000, reported: 1_500, hasMedia: true })).toBe(start);
  });
});

it("starts within the bounds", () => {
  expect([0.1, 1.2, 9].map((ratio) => startCalibration(ratio).ratio)).toEqual([0.5, 1.2, 2.5]);
});

it("is plain data that can be read back", () => {
  fc.assert(
    fc.property(anyCalibration, (calibration) => {
      expect(readCalibration(JSON.parse(JSON.stringify(calibration)))).toEqual(calibration);
    }),
  );
  expect(readCalibration({ ratio: 1.2, learnt: 3, ignored: 0 })).toMatchObject({ tokens: 0, learnt: 3 });
  const valid = { ratio: 1.2, tokens: 5, learnt: 1, ignored: 0 };
  const broken = [
    { ratio: 9 },
    { ratio: Number.NaN },
    { ratio: "1" },
    { tokens: 1e9 },
    { learnt: -1 },
    { ignored: 0.5 },
  ];
  expect(broken.flatMap((field) => readCalibration({ ...valid, ...field }) ?? [])).toEqual([]);
  expect([undefined, null, [1.2]].flatMap((value) => readCalibration(value) ?? [])).toEqual([]);
});

it("finds images and documents anywhere in a conversation", () => {
  expect(hasMedia(makeConversation([makeUser("words"), makeUser(makeToolResult())]))).toBe(false);
  expect(hasMedia(makeConversation([makeUser(["words", makeImage()])]))).toBe(true);
  expect(hasMedia(makeConversation([makeUser(makeToolResult("call_1", [makeDocument()]))]))).toBe(true);
  expect(hasMedia(makeConversation([makeUser()], { system: [makeImage()] }))).toBe(true);
});
