import { analyzeSession, costAsReplayed, costAsSent, type SentPrompt } from "@longhaul/admin/replays";
import { makeSessionReading } from "@longhaul/admin/testing";
import { findStrategy } from "@longhaul/condense/advanced";
import { NO_USAGE, type Usage } from "@longhaul/conversation/advanced";
import type { Prices } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import { openModels } from "../logs/read-session.ts";

const models = openModels();
const strategies = [findStrategy("middle-out"), findStrategy("native")];
const usage = (call: number) => ({
  inputTokens: 10,
  cacheReadTokens: 700 * call,
  cacheWriteTokens: 700,
  outputTokens: 20,
});

describe("analyzeSession", () => {
  it("sums the reported usage, including side calls", async () => {
    const plain = makeSessionReading(6, usage);
    const reading = { ...plain, sideCalls: [{ outcome: "finished" as const, usage: usage(0) }] };
    const analysis = analyzeSession("a.jsonl", reading, { model: await models.modelOf(reading), strategies });
    expect(analysis.recorded).toMatchObject({
      calls: 13,
      usage: { inputTokens: 130, cacheReadTokens: 700 * 66, cacheWriteTokens: 700 * 13, outputTokens: 260 },
      promptTokens: 130 + 700 * 66 + 700 * 13,
      costFrom: "prices",
    });
    expect(analysis.calls).toBe(13);
    expect(analysis.sentTokens).toBe(120 + 700 * 66 + 700 * 12);
    expect(analysis.accuracy?.reportedTokens).toBe(analysis.sentTokens);
  });

  it("uses the model's window, or the longest prompt that was sent if that is larger", async () => {
    const windowOf = async (reading: ReturnType<typeof makeSessionReading>) =>
      analyzeSession("a.jsonl", reading, { model: await models.modelOf(reading), strategies: [] }).windowTokens;
    expect(await windowOf(makeSessionReading(2))).toBe(200_000);
    const large = () => ({ ...usage(0), cacheReadTokens: 600_000 });
    expect(await windowOf(makeSessionReading(2, large))).toBe(600_710);
  });

  it("uses the cost in the log if there is one", async () => {
    const plain = makeSessionReading(1);
    const reading = { ...plain, calls: plain.calls.map((call) => ({ ...call, costUsd: 0.25 })) };
    const { recorded } = analyzeSession("a.jsonl", reading, { model: await models.modelOf(reading), strategies: [] });
    expect(recorded).toMatchObject({ costUsd: 0.5, costFrom: "log" });
  });

  it("computes the savings of each strategy as original minus replayed tokens", async () => {
    const reading = makeSessionReading(8);
    const model = await models.modelOf(reading);
    const analysis = analyzeSession("a.jsonl", reading, { model, strategies, windowTokens: 9_000 });
    expect([analysis.recorded, analysis.accuracy]).toEqual([null, null]);
    for (const { sentTokens, savedTokens, costUsd, savedUsd, curve } of analysis.strategies) {
      expect(sentTokens + savedTokens).toBe(analysis.sentTokens);
      expect((costUsd ?? 0) + (savedUsd ?? 0)).toBeCloseTo(analysis.costUsd ?? 0);
      expect(curve.reduce((total, tokens) => total + tokens, 0)).toBe(sentTokens);
      expect(savedTokens).toBeGreaterThan(0);
    }
  });

  it("subtracts the cost of summaries", async () => {
    const reading = makeSessionReading(8);
    const known = await models.modelOf(reading);
    const prices = { input: 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0, output: 1e6, tiers: [] };
    const model = { ...known, ...(known.model && { model: { ...known.model, prices } }) };
    const [mechanical, summarizing] = analyzeSession("a.jsonl", reading, {
      ...{ model, strategies },
      windowTokens: 9_000,
    }).strategies;
    expect(mechanical).toMatchObject({ costUsd: 0, summaryCostUsd: 0 });
    expect(summarizing?.summaryCostUsd).toBeGreaterThan(0);
    expect(summarizing?.costUsd).toBe(summarizing?.summaryCostUsd);
    expect(summarizing?.savedUsd).toBe(-(summarizing?.summaryCostUsd ?? 0));
  });

  it("has no costs if no model is named", async () => {
    const plain = makeSessionReading(3);
    const reading = { ...plain, calls: plain.calls.map(({ model: _model, ...call }) => call) };
    const analysis = analyzeSession("a.jsonl", reading, {
      model: await models.modelOf(reading),
      strategies,
      windowTokens: 900,
    });
    expect([analysis.model, analysis.costUsd, analysis.strategies[0]?.savedUsd, analysis.windowTokens]).toEqual([
      null,
      null,
      null,
      900,
    ]);
    expect(analysis.assumption).toContain("the session names no model");
  });
});

/** Prices that are powers of ten, so that a cost shows the tokens of each kind. */
const PRICES: Prices = { input: 1e6, output: 0, cacheRead: 1e9, cacheWrite: 1e12, cacheWriteHour: 0, tiers: [] };
const cost = (input: number, read: number, written: number) => input + read * 1e3 + written * 1e6;

function makePrompt(heldTokens: number, usage?: Partial<Usage>, continues = true): SentPrompt {
  const call = {
    outcome: "finished" as const,
    prompt: { from: 0, to: 0 },
    ...(usage && { usage: { ...NO_USAGE, ...usage } }),
  };
  return { call, heldTokens, reportedTokens: 0, continues };
}

describe("costAsSent", () => {
  it("uses reported usage, or else a cache that keeps everything", () => {
    expect(costAsSent([makePrompt(9, { inputTokens: 1, cacheReadTokens: 2 })], PRICES)).toBe(cost(1, 2, 0));
    expect(
      costAsSent([makePrompt(10, undefined, false), makePrompt(15), makePrompt(4, undefined, false)], PRICES),
    ).toBe(cost(0, 0, 10) + cost(0, 10, 5) + cost(0, 0, 4));
  });
});

describe("costAsReplayed", () => {
  const used = { inputTokens: 1, cacheReadTokens: 90, cacheWriteTokens: 9 };

  it("costs the same if the prompts are unchanged", () => {
    expect(costAsReplayed([makePrompt(80, used)], [{ heldTokens: 80 }], PRICES)).toBe(cost(1, 90, 9));
  });

  it("reads less from the cache if less is sent, and writes new text", () => {
    expect(costAsReplayed([makePrompt(80, used)], [{ heldTokens: 50 }], PRICES)).toBeCloseTo(cost(1, 60, 9));
  });

  it("rewrites everything after a condensation's first change, but not unlogged content at the start", () => {
    const steps = [{ heldTokens: 50, unchangedTokens: 10 }];
    // 100 tokens, 20 of them not in the log. 70 are sent: 20 + 10 unchanged and 40 new, a tenth of those uncached.
    expect(costAsReplayed([makePrompt(80, used)], steps, PRICES)).toBeCloseTo(cost(4, 30, 36));
  });

  it("reads nothing from a cold cache", () => {
    const cold = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 100 };
    expect(costAsReplayed([makePrompt(80, cold)], [{ heldTokens: 50 }], PRICES)).toBeCloseTo(cost(0, 0, 70));
  });
});
