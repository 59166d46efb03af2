import { findModel, loadCatalog } from "@longhaul/models/catalog";
import { describe, expect, it } from "vitest";
import type { CallRecord } from "./api.ts";
import { addBilled, costOf, promptTokens, recordBill } from "./money.ts";

const tier = { aboveInputTokens: 200, input: 20, output: 200, cacheRead: 2, cacheWrite: 24, cacheWriteHour: 40 };
const prices = { input: 10, output: 100, cacheRead: 1, cacheWrite: 12, cacheWriteHour: 20, tiers: [tier] };
const billed = {
  inputTokens: 10,
  cacheReadTokens: 100,
  cacheWriteTokens: 20,
  cacheWriteHourTokens: 5,
  outputTokens: 3,
};

it("adds up tokens read and written", () => {
  expect(promptTokens(billed)).toBe(135);
  expect(costOf(billed, prices)).toBeCloseTo((10 * 10 + 100 + 20 * 12 + 5 * 20 + 3 * 100) / 1e6, 12);
});

it("bills the whole call at the prompt's price tier", () => {
  expect(costOf({ ...billed, cacheReadTokens: 200 }, prices)).toBeCloseTo(
    (10 * 20 + 200 * 2 + 20 * 24 + 5 * 40 + 3 * 200) / 1e6,
    12,
  );
});

it("adds up rounds", () => {
  expect(addBilled([billed, billed])).toEqual({
    inputTokens: 20,
    cacheReadTokens: 200,
    cacheWriteTokens: 40,
    cacheWriteHourTokens: 10,
    outputTokens: 6,
  });
});

describe("recordBill", () => {
  const catalog = loadCatalog({ "my-model": { window: 1_000 } });
  const round = {
    inputTokens: 1_000_000,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    cacheWriteHourTokens: 0,
    outputTokens: 0,
  };

  it("adds up rounds and bills each at its own rate", () => {
    const record: CallRecord = {};
    recordBill(record, findModel(catalog, "claude-opus-4-6", "anthropic").model, [round, round]);
    expect(record).toEqual({ billed: { ...round, inputTokens: 2_000_000 }, costUsd: 10 });
  });

  it("leaves the cost undefined without a price", () => {
    const record: CallRecord = {};
    recordBill(record, findModel(catalog, "my-model", "openai").model, [round]);
    expect(record).toEqual({ billed: round });
  });
});
