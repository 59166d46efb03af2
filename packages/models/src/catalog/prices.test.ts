import fc from "fast-check";
import { expect, it } from "vitest";
import { pricesSchema } from "./model.ts";
import { completePrices } from "./prices.ts";

it("keeps what is given", () => {
  const given = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0, tiers: [] };
  expect(completePrices(given, "anthropic")).toEqual(given);
});

it("assumes that caching costs what input costs", () => {
  expect(completePrices({ input: 4, output: 8 }, "openai")).toEqual({
    input: 4,
    output: 8,
    cacheRead: 4,
    cacheWrite: 4,
    cacheWriteHour: 4,
    tiers: [],
  });
});

it("adds to a cache write what Anthropic adds", () => {
  expect(completePrices({ input: 4, output: 8 }, "anthropic")).toMatchObject({
    cacheRead: 4,
    cacheWrite: 5,
    cacheWriteHour: 8,
  });
});

it("takes a write for an hour for a plain write where the vendor makes no difference", () => {
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

it("gives no prices where input or output is unknown", () => {
  expect(completePrices(undefined, "openai")).toBeUndefined();
  expect(completePrices({ input: 1 }, "openai")).toBeUndefined();
  expect(completePrices({ output: 1 }, "openai")).toBeUndefined();
});

it("always gives a whole price list", () => {
  const price = fc.double({ min: 0, max: 1_000, noNaN: true });
  const rates = { input: price, output: price, cacheRead: price, cacheWrite: price };
  const given = fc.record(rates, { requiredKeys: ["input", "output"] });
  fc.assert(
    fc.property(given, fc.constantFrom("anthropic", "openai"), (prices, vendor) => {
      expect(pricesSchema.safeParse(completePrices(prices, vendor)).success).toBe(true);
    }),
  );
});
