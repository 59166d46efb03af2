import type { Request } from "@longhaul/conversation/advanced";
import { describe, expect, it } from "vitest";
import { openFitBench } from "../testing/index.ts";
import { limitsOf, loweredOutput, requestOptions, windowOf, within } from "./limits.ts";

const { destination } = await openFitBench({ window: 200_000, facts: { maxOutput: 64_000 } });
const head: Request = {
  model: "m",
  stream: false,
  sampling: {},
  conversation: { system: [], tools: [], messages: [] },
};
const limitsFor = (fields: Partial<Request> = {}, context: object = {}, window = 200_000) => {
  const set = { ...destination, context: { ...destination.context, ...context } };
  return limitsOf(requestOptions(set, { ...head, ...fields }, window));
};

describe("windowOf", () => {
  it("is the catalog's, or the learned one if that is smaller", () => {
    expect(windowOf(destination, undefined)).toBe(200_000);
    expect(windowOf(destination, 150_000)).toBe(150_000);
    expect(windowOf(destination, 900_000)).toBe(200_000);
  });

  it("is the operator's setting before all others", async () => {
    const upstreams = { own: { kind: "anthropic", apiKey: "k", window: 300_000 } };
    const bench = await openFitBench({ config: { upstreams, routes: [{ match: "*", upstream: "own" }] } });
    expect(windowOf(bench.destination, 150_000)).toBe(300_000);
    expect(windowOf({ ...bench.destination, windowTokens: 90_000 }, 150_000)).toBe(90_000);
  });
});

describe("limitsOf", () => {
  it.each<[string, Partial<Request>, object, number]>([
    ["what the client wants", { maxOutputTokens: 8_000 }, {}, 8_000],
    ["a fifth of the window where it wants more", { maxOutputTokens: 64_000 }, {}, 40_000],
    ["a fifth of the window where it does not say", {}, {}, 40_000],
    ["the share that is set", { maxOutputTokens: 64_000 }, { outputShare: 0.1 }, 20_000],
    [
      "thinking and an answer",
      { reasoning: { mode: "budget", budgetTokens: 50_000 }, maxOutputTokens: 64_000 },
      {},
      51_000,
    ],
    [
      "no more than it wants for thinking",
      { reasoning: { mode: "budget", budgetTokens: 8_000 }, maxOutputTokens: 8_500 },
      {},
      8_500,
    ],
  ])("reserves room for %s", (_, fields, context, reserved) => {
    const { budgetTokens, triggerTokens, rawTokens } = limitsFor(fields, context);
    expect(budgetTokens).toBe(200_000 - reserved - 100);
    expect(triggerTokens).toBe(180_000 - reserved);
    expect(rawTokens).toBe(triggerTokens);
  });

  it("puts the trigger at the configured threshold, else at the strategy's own", () => {
    const fields = { maxOutputTokens: 1_000 };
    expect(limitsFor(fields, { threshold: 50 }).triggerTokens).toBe(100_000);
    expect(limitsFor(fields, { strategy: "sandwich" }).triggerTokens).toBe(140_000);
    expect(limitsFor(fields, { strategy: "sandwich", threshold: 40 }).triggerTokens).toBe(80_000);
  });

  it("puts the trigger at the budget if `auto` is off", () => {
    const { budgetTokens, triggerTokens, rawTokens, thresholdPercent } = limitsFor({}, { auto: false, threshold: 50 });
    expect([triggerTokens, rawTokens, thresholdPercent]).toEqual([budgetTokens, budgetTokens, 100]);
    expect(limitsFor({ maxOutputTokens: 50 }, { auto: false }, 120).triggerTokens).toBe(0);
  });

  it("follows the settings for target and output limit", () => {
    expect(limitsFor({}, { targetShare: 0.25 }).targetTokens).toBe(50_000);
    expect(limitsFor({}, { targetTokens: 40_000 }).targetTokens).toBe(40_000);
    expect(limitsFor({ maxOutputTokens: 64_000 }, { keepOutputLimit: true }).budgetTokens).toBe(135_900);
  });

  it("aims no lower than the floor", () => {
    expect(limitsFor({ maxOutputTokens: 1_000 }).targetTokens).toBe(100_000);
    expect(limitsFor({ maxOutputTokens: 1_000 }, { floorTokens: 120_000 }).targetTokens).toBe(120_000);
  });

  it("stays within the model's input limit", () => {
    const match = { ...destination.match, model: { ...destination.match.model, maxInput: 50_000 } };
    expect(limitsOf(requestOptions({ ...destination, match }, head, 200_000))).toMatchObject({
      windowTokens: 200_000,
      budgetTokens: 50_000,
      triggerTokens: 50_000,
      rawTokens: 50_000,
      targetTokens: 45_000,
    });
  });

  it("has the client's output limit", () => {
    expect(limitsFor({ maxOutputTokens: 7 }).wantedTokens).toBe(7);
    expect(limitsFor().wantedTokens).toBeUndefined();
  });
});

describe("within", () => {
  it("returns limits that are already lower unchanged", () => {
    const limits = limitsFor();
    expect(within(limits, limits.budgetTokens)).toBe(limits);
    expect(within(limits, Number.POSITIVE_INFINITY)).toBe(limits);
  });

  it("lowers all of them", () => {
    expect(within(limitsFor(), 10_000)).toMatchObject({
      budgetTokens: 10_000,
      triggerTokens: 10_000,
      rawTokens: 10_000,
      targetTokens: 9_000,
    });
  });
});

describe("loweredOutput", () => {
  it.each([
    [8_000, 191_900, undefined],
    [8_000, 191_901, 6_079],
    [32_000, 180_000, 18_100],
    [8_000, 199_899, 1],
    [8_000, 250_000, 1],
    [undefined, 250_000, undefined],
  ])("turns a limit of %s beside %s prompt tokens into %s", (wantedTokens, promptTokens, lowered) => {
    expect(loweredOutput({ ...limitsFor(), wantedTokens }, promptTokens)).toBe(lowered);
  });
});
