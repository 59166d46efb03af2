import fc from "fast-check";
import { expect, it } from "vitest";
import { NO_USAGE, promptTokens, usageFromInclusive } from "./reply.ts";
import { makeUsage } from "./testing/index.ts";

it("sums the three input counts", () => {
  expect(promptTokens(makeUsage({ inputTokens: 7, cacheReadTokens: 20, cacheWriteTokens: 300 }))).toBe(327);
  expect(promptTokens(NO_USAGE)).toBe(0);
});

it("subtracts cached tokens from an inclusive input count, and keeps the other counts", () => {
  const figures = makeUsage({ inputTokens: 1000, cacheReadTokens: 600, cacheWriteTokens: 100, reasoningTokens: 5 });
  expect(usageFromInclusive(figures)).toEqual({ ...figures, inputTokens: 300 });
});

it("keeps the prompt total of inclusive usage and never returns a negative count", () => {
  const figure = fc.nat(1_000_000);
  fc.assert(
    fc.property(figure, figure, figure, (inputTokens, cacheReadTokens, cacheWriteTokens) => {
      const usage = usageFromInclusive(makeUsage({ inputTokens, cacheReadTokens, cacheWriteTokens }));
      expect(usage.inputTokens).toBeGreaterThanOrEqual(0);
      expect(promptTokens(usage)).toBe(Math.max(inputTokens, cacheReadTokens + cacheWriteTokens));
    }),
  );
});
