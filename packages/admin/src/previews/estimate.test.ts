import { findStrategy, limitsWithHeadroom, STRATEGIES } from "@longhaul/condense/advanced";
import { describe, expect, it } from "vitest";
import { COUNTERS, makeTerms } from "../testing/previews.ts";
import { compareProfiles, type DryRun, dryRun, estimate, recommendStrategy } from "./estimate.ts";
import { findExample } from "./examples/examples.ts";
import { measure } from "./preview.ts";
import type { WriterTerms } from "./protocol.ts";

it("runs every strategy without model calls", async () => {
  const estimated = await estimate(findExample("outage").text, {
    counters: COUNTERS,
    termsFor: async () => makeTerms(),
  });
  expect(estimated.strategies.map(({ id }) => id)).toEqual(STRATEGIES.map(({ id }) => id));
  for (const { tokensAfter, reductionPercent, reachesTarget, asks, costUsd } of estimated.strategies) {
    expect(reductionPercent).toBeCloseTo(100 * (1 - tokensAfter / estimated.anatomy.tokens));
    expect(reachesTarget).toBe(tokensAfter <= estimated.limits.targetTokens);
    expect(costUsd === 0).toBe(asks === 0);
  }
  expect(estimated.profiles).toMatchObject({ strategy: "native", costs: [{ profile: null, savedUsd: 0 }] });
});

const terms = makeTerms({ configs: { sandwich: { preserveTop: 12 } } });
const measured = await measure(findExample("bug-hunt").text, { counters: COUNTERS, termsFor: async () => terms });

it("measures the asks of a dry run", () => {
  const { asked, report, fits } = dryRun(findStrategy("native"), measured);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.inputTokens).toBeGreaterThan(report.tokensBefore / 2);
  expect(report.tokensAfter).toBeLessThan(report.tokensBefore / 2);
  expect([fits, report.costUsd, report.fallbacks]).toEqual([true, undefined, []]);
});

it("uses the strategy's settings", () => {
  const plain = { ...measured, terms: makeTerms() };
  const [set, unset] = [measured, plain].map((each) => dryRun(findStrategy("sandwich"), each).report.tokensAfter);
  expect(set).not.toBe(unset);
});

it("leaves as much room for later turns as the gateway does, whatever a strategy keeps", () => {
  for (let preserveTop = 1; preserveTop <= 40; preserveTop++) {
    const set = { ...measured, terms: makeTerms({ configs: { sandwich: { preserveTop } } }) };
    const { report } = dryRun(findStrategy("sandwich"), set);
    expect(report.tokensAfter).toBeLessThanOrEqual(limitsWithHeadroom(measured.limits).budgetTokens);
  }
});

function run(
  id: string,
  tokensAfter: number,
  more: { fits?: boolean; operations?: DryRun["report"]["passes"][number]["operations"] } = {},
): DryRun {
  const { fits = true, operations = {} } = more;
  const pass = {
    id: "p",
    name: "P",
    outcome: "applied",
    tokensBefore: 1_000,
    tokensAfter,
    operations,
    costUsd: 0,
    milliseconds: 0,
  } as const;
  const figures = {
    tokensBefore: 1_000,
    tokensAfter,
    costUsd: 0,
    savedPerCallUsd: 0,
    milliseconds: 0,
    fallbacks: [],
    warnings: [],
  };
  return {
    strategy: findStrategy(id),
    asked: [],
    fits,
    report: { strategy: id, strategyName: id, passes: [pass], ...figures },
  };
}

const recommend = (...runs: readonly DryRun[]) => recommendStrategy(runs, { targetTokens: 500 });

describe("recommendStrategy", () => {
  it("recommends the gentlest strategy that frees enough room", () => {
    const runs = [run("native", 100), run("truncation", 450), run("smart", 600), run("lossless", 800)];
    expect(recommend(...runs)).toEqual({ strategy: "truncation", reason: expect.stringContaining("55%") });
  });

  it("recommends a lossless strategy only if nothing was lost", () => {
    expect(recommend(run("lossless", 400, { operations: { reference: 3 } }), run("smart", 300)).strategy).toBe(
      "lossless",
    );
    expect(recommend(run("lossless", 400, { operations: { reference: 3, drop: 1 } }), run("smart", 300)).strategy).toBe(
      "smart",
    );
  });

  it("recommends a lossy strategy if references do not free enough", () => {
    const dropping = run("smart", 300, { operations: { reference: 3, cover: 9 } });
    expect(recommend(run("lossless", 800), dropping, run("truncation", 450)).strategy).toBe("smart");
  });

  it("recommends the smallest result if none reaches the target", () => {
    expect(recommend(run("smart", 800), run("middle-out", 700), run("native", 600, { fits: false }))).toEqual({
      strategy: "middle-out",
      reason: expect.stringContaining("closest"),
    });
  });

  it("says if no result fits", () => {
    expect(recommend(run("smart", 800, { fits: false })).reason).toContain("No strategy makes the conversation fit");
  });
});

const [own] = makeTerms().writers;
const asked = { inputTokens: 100_000, outputTokens: 1_000, maxTokens: 2_000, excerpt: "" };
const askingRun = (id: string, asks: readonly (typeof asked)[]): DryRun => {
  const figures = { tokensBefore: 9, tokensAfter: 9, costUsd: 0, savedPerCallUsd: 0, milliseconds: 0 };
  const report = { strategy: id, strategyName: id, passes: [], ...figures, fallbacks: [], warnings: [] };
  return { strategy: findStrategy(id), asked: asks, fits: true, report };
};
const runs = [askingRun("native", [asked]), askingRun("sandwich", [asked, asked]), askingRun("lossless", [])];
const writer = (profile: string, input: number, windowTokens = 200_000): WriterTerms => ({
  profile,
  model: `${profile}-model`,
  windowTokens,
  prices: { ...own.prices!, input, output: 0 },
});
const compare = (writers: readonly WriterTerms[], strategy = "native") =>
  compareProfiles(runs, makeTerms({ strategy }, { writers: [own, ...writers] }));

describe("compareProfiles", () => {
  it("prices the summaries of the configured strategy, else of the first that has any", () => {
    expect(compare([], "sandwich")).toMatchObject({ strategy: "sandwich", asks: 2, inputTokens: 200_000 });
    expect(compare([], "lossless")).toMatchObject({ strategy: "native", asks: 1 });
  });

  it("recommends the cheapest profile whose window fits", () => {
    const { costs, recommended } = compare([writer("a", 1), writer("b", 0.5), writer("small", 0.1, 50_000)]);
    expect(costs.map(({ profile, fits }) => [profile, fits])).toEqual([
      [null, true],
      ["a", true],
      ["b", true],
      ["small", false],
    ]);
    expect(costs[2]?.savedUsd).toBeCloseTo(0.315 - 0.05);
    expect(recommended).toEqual({
      profile: "b",
      reason: "b-model has a large enough window and costs 84% less than own.",
    });
  });

  it.each<[string, readonly WriterTerms[], string]>([
    ["there are none", [], "add one"],
    ["none is cheaper", [writer("a", 3)], "No profile is at least 10% cheaper"],
    ["no window is large enough", [writer("a", 1, 10)], "window"],
  ])("recommends no profile if %s", (_, writers, reason) => {
    expect(compare(writers).recommended).toEqual({ profile: null, reason: expect.stringContaining(reason) });
  });

  it("compares nothing if the own price is unknown", () => {
    const unknown = { model: "own", windowTokens: 9 };
    const terms = makeTerms({}, { writers: [unknown, writer("a", 1)] });
    expect(compareProfiles(runs, terms)).toMatchObject({
      costs: [{ costUsd: null }, { savedUsd: null, savedPercent: null }],
      recommended: { profile: null, reason: expect.stringContaining("set its prices") },
    });
  });

  it("says if there is nothing to summarize", () => {
    const none = compareProfiles([askingRun("lossless", [])], makeTerms());
    expect(none).toMatchObject({
      asks: 0,
      recommended: { profile: null, reason: expect.stringContaining("No strategy") },
    });
  });
});
