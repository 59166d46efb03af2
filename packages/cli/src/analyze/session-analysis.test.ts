import { findStrategy } from "@longhaul/condense";
import { describe, expect, it } from "vitest";
import { openModels } from "../logs/session-model.ts";
import { makeSessionReading } from "../testing/readings.ts";
import { analyzeSession } from "./session-analysis.ts";

const models = openModels();
const strategies = [findStrategy("middle-out"), findStrategy("native")];
const usage = (call: number) => ({
  inputTokens: 10,
  cacheReadTokens: 700 * call,
  cacheWriteTokens: 700,
  outputTokens: 20,
});

describe("analyzeSession", () => {
  it("adds up what the log reports, side calls included", async () => {
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

  it("takes the cost from the log where that says it", async () => {
    const plain = makeSessionReading(1);
    const reading = { ...plain, calls: plain.calls.map((call) => ({ ...call, costUsd: 0.25 })) };
    const { recorded } = analyzeSession("a.jsonl", reading, { model: await models.modelOf(reading), strategies: [] });
    expect(recorded).toMatchObject({ costUsd: 0.5, costFrom: "log" });
  });

  it("tells what each strategy saves: what was sent less what would have been", async () => {
    const reading = makeSessionReading(8);
    const analysis = analyzeSession("a.jsonl", reading, { model: await models.modelOf(reading), strategies });
    expect([analysis.recorded, analysis.accuracy]).toEqual([null, null]);
    for (const { sentTokens, savedTokens, costUsd, savedUsd, curve } of analysis.strategies) {
      expect(sentTokens + savedTokens).toBe(analysis.sentTokens);
      expect((costUsd ?? 0) + (savedUsd ?? 0)).toBeCloseTo(analysis.costUsd ?? 0);
      expect(curve.reduce((total, tokens) => total + tokens, 0)).toBe(sentTokens);
      expect(savedTokens).toBeGreaterThan(0);
    }
  });

  it("takes off what summaries cost", async () => {
    const reading = makeSessionReading(8);
    const known = await models.modelOf(reading);
    const prices = { input: 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0, output: 1e6, tiers: [] };
    const model = { ...known, ...(known.model && { model: { ...known.model, prices } }) };
    const [mechanical, summarizing] = analyzeSession("a.jsonl", reading, { model, strategies }).strategies;
    expect(mechanical).toMatchObject({ costUsd: 0, summaryCostUsd: 0 });
    expect(summarizing?.summaryCostUsd).toBeGreaterThan(0);
    expect(summarizing?.costUsd).toBe(summarizing?.summaryCostUsd);
    expect(summarizing?.savedUsd).toBe(-(summarizing?.summaryCostUsd ?? 0));
  });

  it("has no money where no model is named", async () => {
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
    expect(analysis.assumption).toContain("no model is named");
  });
});
