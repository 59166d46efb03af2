import type { Overflow } from "@longhaul/conversation";
import { makeImage } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { Fitted } from "../fitting/fit.ts";
import { rawForm } from "../fitting/fit-request.ts";
import { makeChat, openFitBench } from "../testing/index.ts";
import { learnOverflow, learnUnnamed, pressureAfter } from "./recover.ts";

/** A request as it was sent raw: the window is believed to be 10,000 tokens, of which 200 are for the answer. */
async function openSent(tokens: number, body: object = makeChat(3)) {
  const bench = await openFitBench({ window: 10_000 });
  const fitRequest = await bench.fitRequest(body);
  const form = { ...rawForm(fitRequest), estimated: tokens, tokens };
  const fitted: Fitted = { fitRequest, form, originalTokens: tokens, origin: "raw" };
  return { bench, fitRequest, fitted };
}

/** What is kept free of a window of 10,000: the answer's 200 and 100 for errors of the count. */
const RESERVED = 300;

describe("pressureAfter", () => {
  it.each<[string, Overflow, number, number]>([
    [
      "its own count is ours: 90 % of the window",
      { actualTokens: 12_000, limitTokens: 10_000 },
      0,
      0.9 * (10_000 - RESERVED),
    ],
    ["then 75 %", { actualTokens: 12_000, limitTokens: 10_000 }, 1, 0.75 * (10_000 - RESERVED)],
    ["and no less than that", { actualTokens: 12_000, limitTokens: 10_000 }, 5, 0.75 * (10_000 - RESERVED)],
    [
      "its limit is half of what was believed",
      { actualTokens: 12_000, limitTokens: 5_000 },
      0,
      0.9 * (5_000 - RESERVED / 2),
    ],
    [
      "its limit is said to be larger than we know",
      { actualTokens: 12_000, limitTokens: 20_000 },
      0,
      0.9 * (10_000 - RESERVED),
    ],
    [
      "it counts half as much again",
      { actualTokens: 18_000, limitTokens: 10_000 },
      0,
      (0.9 * (10_000 - RESERVED)) / 1.5,
    ],
    ["it counts less than we do", { actualTokens: 11_000, limitTokens: 10_000 }, 0, 0.9 * (10_000 - RESERVED)],
    ["it counts the answer in", { actualTokens: 12_000, limitTokens: 10_000, outputTokens: 200 }, 0, 9_000],
    ["it names only its limit", { limitTokens: 10_000 }, 0, 0.9 * (10_000 - RESERVED)],
    ["it names nothing: 70 % of what fits", {}, 0, 0.7 * (10_000 - RESERVED)],
    ["it names nothing again: 50 %", {}, 1, 0.5 * (10_000 - RESERVED)],
  ])("aims, where %s", async (_, overflow, recoveries, expected) => {
    const { fitted } = await openSent(12_000);
    expect(pressureAfter(overflow, fitted, recoveries)).toEqual({ maxTokens: Math.floor(expected) });
  });

  it("goes by what was sent where that was less than the window", async () => {
    const { fitted } = await openSent(6_000);
    expect(pressureAfter({}, fitted, 0)).toEqual({ maxTokens: 4_200 });
    expect(pressureAfter({ limitTokens: 9_000 }, fitted, 0)).toEqual({ maxTokens: 5_400 });
  });

  it("counts as will be counted after what the refusal has taught", async () => {
    const { fitted, fitRequest } = await openSent(12_000);
    const overflow = { actualTokens: 13_200, limitTokens: 10_000 };
    learnOverflow(overflow, fitted);
    expect(fitRequest.state.learned.ratio(fitRequest.destination)).toBeCloseTo(fitRequest.ratio * 1.1);
    expect(pressureAfter(overflow, fitted, 0).maxTokens).toBeCloseTo(0.9 * (10_000 - RESERVED), -1);
  });

  it("leaves something to send", async () => {
    const { fitted } = await openSent(12_000);
    expect(pressureAfter({ actualTokens: 12_000, limitTokens: 0 }, fitted, 0)).toEqual({ maxTokens: 1 });
  });
});

describe("learnOverflow", () => {
  it("learns a window that is smaller than what is believed, and no other", async () => {
    const { fitted, fitRequest } = await openSent(12_000);
    const window = () => fitRequest.state.learned.window(fitRequest.call, fitRequest.destination);
    learnOverflow({ limitTokens: 20_000 }, fitted);
    learnOverflow({}, fitted);
    expect(window()).toBeUndefined();
    learnOverflow({ limitTokens: 8_000 }, fitted);
    expect(window()).toBe(8_000);
  });

  it("learns how large the conversation is, and that it was not sent", async () => {
    const { fitted, fitRequest, bench } = await openSent(12_000);
    learnOverflow({ actualTokens: 12_500, limitTokens: 10_000 }, fitted);
    const { state, scope, history } = fitRequest;
    expect(state.anchors.correction(scope, history.prefixes(), fitRequest.ratio)).toBe(500);
    expect(state.anchors.sentMessages(scope, history.prefixes())).toBe(0);
    expect(bench.state.learned.ratio(fitRequest.destination)).toBeGreaterThan(fitRequest.ratio);
  });
});

describe("learnUnnamed", () => {
  const windowAfter = async (overflow: Overflow, refused: number, accepted: number, body?: object) => {
    const { fitted, fitRequest } = await openSent(refused, body);
    learnUnnamed(overflow, fitted, { ...fitted, form: { ...fitted.form, tokens: accepted } });
    return fitRequest.state.learned.window(fitRequest.call, fitRequest.destination);
  };

  it("takes the window to be between what was refused and what was accepted", async () => {
    expect(await windowAfter({}, 9_000, 6_000)).toBe(7_500);
  });

  it("learns nothing where the limit was named, where that is no less than believed, or where images may be the reason", async () => {
    expect(await windowAfter({ limitTokens: 9_999 }, 9_000, 6_000)).toBeUndefined();
    expect(await windowAfter({}, 12_000, 8_000)).toBeUndefined();
    const { source } = makeImage();
    const data = source.kind === "base64" ? source.data : "";
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data } };
    expect(
      await windowAfter({}, 9_000, 6_000, makeChat(1, { messages: [{ role: "user", content: [image] }] })),
    ).toBeUndefined();
  });
});
