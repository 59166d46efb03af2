import { findStrategy } from "@longhaul/condense";
import { describe, expect, it } from "vitest";
import { makeTerms } from "../testing/previews.ts";
import { compareProfiles } from "./compare-profiles.ts";
import type { DryRun } from "./dry-run.ts";
import type { WriterTerms } from "./terms.ts";

const [own] = makeTerms().writers;
const asked = { inputTokens: 100_000, outputTokens: 1_000, maxTokens: 2_000, told: "" };
const run = (id: string, asks: readonly (typeof asked)[]): DryRun => {
  const figures = { tokensBefore: 9, tokensAfter: 9, costUsd: 0, savedUsd: 0, milliseconds: 0 };
  const report = { strategy: id, strategyName: id, passes: [], ...figures, fallbacks: [], warnings: [] };
  return { strategy: findStrategy(id), asked: asks, fits: true, report };
};
const runs = [run("native", [asked]), run("sandwich", [asked, asked]), run("lossless", [])];
const writer = (profile: string, input: number, windowTokens = 200_000): WriterTerms => ({
  profile,
  model: `${profile}-model`,
  windowTokens,
  prices: { ...own.prices!, input, output: 0 },
});
const compare = (writers: readonly WriterTerms[], strategy = "native") =>
  compareProfiles(runs, makeTerms({ choices: [{ strategy }], writers: [own, ...writers] }));

describe("compareProfiles", () => {
  it("prices the summaries of the strategy that is set, or of the first one that has any", () => {
    expect(compare([], "sandwich")).toMatchObject({ strategy: "sandwich", asks: 2, inputTokens: 200_000 });
    expect(compare([], "lossless")).toMatchObject({ strategy: "native", asks: 1 });
  });

  it("recommends the cheapest that reads all of it, and says what it saves", () => {
    const { costs, recommended } = compare([writer("a", 1), writer("b", 0.5), writer("small", 0.1, 50_000)]);
    expect(costs.map(({ profile, fits }) => [profile, fits])).toEqual([
      [null, true],
      ["a", true],
      ["b", true],
      ["small", false],
    ]);
    expect(costs[2]?.savedUsd).toBeCloseTo(0.315 - 0.05);
    expect(recommended).toEqual({ profile: "b", reason: "b-model reads all of it and takes 84 % less than own." });
  });

  it.each<[string, readonly WriterTerms[], string]>([
    ["there are none", [], "add one"],
    ["none is cheaper", [writer("a", 3)], "No profile is at least 10 % cheaper"],
    ["none reads all of it", [writer("a", 1, 10)], "window"],
  ])("recommends no profile where %s", (_, writers, reason) => {
    expect(compare(writers).recommended).toEqual({ profile: null, reason: expect.stringContaining(reason) });
  });

  it("compares with nothing where the own price is not known", () => {
    const unknown = { model: "own", windowTokens: 9 };
    const terms = makeTerms({ writers: [unknown, writer("a", 1)] });
    expect(compareProfiles(runs, terms)).toMatchObject({
      costs: [{ costUsd: null }, { savedUsd: null, savedPercent: null }],
      recommended: { profile: null, reason: expect.stringContaining("set its prices") },
    });
  });

  it("says where there is nothing to summarise", () => {
    const none = compareProfiles([run("lossless", [])], makeTerms());
    expect(none).toMatchObject({
      asks: 0,
      recommended: { profile: null, reason: expect.stringContaining("No strategy") },
    });
  });
});
