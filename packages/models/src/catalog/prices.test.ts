import { existsSync, readFileSync } from "node:fs";
import { NO_USAGE, type Usage } from "@longhaul/conversation/advanced";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findModel } from "./find-model.ts";
import { loadCatalog } from "./load-catalog.ts";
import { type Prices, pricesSchema } from "./model.ts";
import { completePrices, costOf } from "./prices.ts";

it("keeps given prices", () => {
  const given = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0, tiers: [] };
  expect(completePrices(given, "anthropic")).toEqual(given);
});

it("assumes that caching costs as much as input", () => {
  expect(completePrices({ input: 4, output: 8 }, "openai")).toEqual({
    input: 4,
    output: 8,
    cacheRead: 4,
    cacheWrite: 4,
    cacheWriteHour: 4,
    tiers: [],
  });
});

it("applies Anthropic's surcharge for cache writes", () => {
  expect(completePrices({ input: 4, output: 8 }, "anthropic")).toMatchObject({
    cacheRead: 4,
    cacheWrite: 5,
    cacheWriteHour: 8,
  });
});

it("bills an hour-long write like a plain write if the vendor does not distinguish them", () => {
  expect(completePrices({ input: 4, output: 8, cacheWrite: 6 }, "openai")).toMatchObject({ cacheWriteHour: 6 });
});

it("completes each tier from its own input price", () => {
  const prices = completePrices(
    { input: 1, output: 2, tiers: [{ aboveInputTokens: 9, input: 2, output: 4 }] },
    "anthropic",
  );
  expect(prices?.tiers).toEqual([
    { aboveInputTokens: 9, input: 2, output: 4, cacheRead: 2, cacheWrite: 2.5, cacheWriteHour: 4 },
  ]);
});

it("returns undefined without input or output prices", () => {
  expect(completePrices(undefined, "openai")).toBeUndefined();
  expect(completePrices({ input: 1 }, "openai")).toBeUndefined();
  expect(completePrices({ output: 1 }, "openai")).toBeUndefined();
});

it("always returns a complete price list", () => {
  const price = fc.double({ min: 0, max: 1_000, noNaN: true });
  const rates = { input: price, output: price, cacheRead: price, cacheWrite: price };
  const given = fc.record(rates, { requiredKeys: ["input", "output"] });
  fc.assert(
    fc.property(given, fc.constantFrom("anthropic", "openai"), (prices, vendor) => {
      expect(pricesSchema.safeParse(completePrices(prices, vendor)).success).toBe(true);
    }),
  );
});

const catalog = loadCatalog();

const PRICES: Prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, cacheWriteHour: 6, tiers: [] };
const TIERED: Prices = {
  ...PRICES,
  tiers: [
    { aboveInputTokens: 500_000, input: 12, output: 30, cacheRead: 1.2, cacheWrite: 15, cacheWriteHour: 24 },
    { aboveInputTokens: 200_000, input: 6, output: 22.5, cacheRead: 0.6, cacheWrite: 7.5, cacheWriteHour: 12 },
  ],
};

function makeUsage(fields: Partial<Usage>): Usage {
  return { ...NO_USAGE, ...fields };
}

describe("costOf", () => {
  it("sums input, cache and output", () => {
    const usage = makeUsage({
      inputTokens: 1_000,
      cacheReadTokens: 10_000,
      cacheWriteTokens: 2_000,
      outputTokens: 500,
    });
    expect(costOf(usage, PRICES)).toBeCloseTo(0.003 + 0.003 + 0.0075 + 0.0075, 12);
  });

  it("bills an hour-long cache write at its own price", () => {
    const usage = makeUsage({ cacheWriteTokens: 3_000, cacheWriteHourTokens: 1_000 });
    expect(costOf(usage, PRICES)).toBeCloseTo(0.0075 + 0.006, 12);
    expect(costOf(makeUsage({ cacheWriteTokens: 1_000, cacheWriteHourTokens: 5_000 }), PRICES)).toBeCloseTo(0.006, 12);
  });

  it("is zero for no usage", () => {
    expect(costOf(NO_USAGE, TIERED)).toBe(0);
  });

  it.each([
    [200_000, 3],
    [200_001, 6],
    [500_000, 6],
    [500_001, 12],
  ])("bills a prompt of %s tokens at %s", (inputTokens, price) => {
    expect(costOf(makeUsage({ inputTokens }), TIERED)).toBeCloseTo((inputTokens * price) / 1_000_000, 9);
  });

  it("selects the tier by the whole prompt, including cached parts", () => {
    const usage = makeUsage({ inputTokens: 1, cacheReadTokens: 200_000, outputTokens: 1_000 });
    expect(costOf(usage, TIERED)).toBeCloseTo(0.000006 + 0.12 + 0.0225, 9);
  });

  it("bills earlier rounds of a call separately", () => {
    const round = makeUsage({ inputTokens: 150_000, outputTokens: 1_000 });
    const usage = makeUsage({ inputTokens: 100_000, outputTokens: 2_000, iterations: [round, round] });
    expect(costOf(usage, TIERED)).toBeCloseTo(0.3 + 0.03 + 2 * (0.45 + 0.015), 9);
  });

  it("is never negative and grows with every token", () => {
    const count = fc.nat({ max: 1_000_000 });
    const usage = fc.record({
      inputTokens: count,
      cacheReadTokens: count,
      cacheWriteTokens: count,
      outputTokens: count,
    });
    const field = fc.constantFrom("inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens");
    fc.assert(
      fc.property(usage, field, (spent, more) => {
        expect(costOf(spent, TIERED)).toBeGreaterThanOrEqual(0);
        expect(costOf({ ...spent, [more]: spent[more] + 1 }, TIERED)).toBeGreaterThan(costOf(spent, TIERED));
      }),
    );
  });
});

const session = new URL("../../../../../shared/data/sessions/pi/refactor-before-compaction.jsonl", import.meta.url);

interface PiUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cost: { readonly total: number };
}

/** The calls of a recorded session; skipped if the recordings are not available. */
describe.skipIf(!existsSync(session))("a recorded session", () => {
  it("costs as recorded, within 5%", () => {
    const entries: { message?: { model?: string; usage?: PiUsage } }[] = readFileSync(session, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
    const calls = entries.flatMap(({ message }) => (message?.usage === undefined ? [] : [message.usage]));
    const model = entries.find(({ message }) => message?.usage !== undefined)?.message?.model ?? "claude-opus-4-5";
    const { prices } = findModel(catalog, model).model;
    if (prices === undefined) throw new Error(`no prices for ${model}`);
    const computed = calls.reduce((sum, call) => sum + costOf(fromPi(call), prices), 0);
    const recorded = calls.reduce((sum, call) => sum + call.cost.total, 0);
    expect(calls.length).toBeGreaterThan(400);
    expect(Math.abs(computed - recorded) / recorded).toBeLessThan(0.05);
  });
});

function fromPi({ input, output, cacheRead, cacheWrite }: PiUsage): Usage {
  return makeUsage({
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
  });
}
