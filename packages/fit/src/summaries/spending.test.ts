import { NO_USAGE } from "@longhaul/conversation/advanced";
import { findModel, loadCatalog } from "@longhaul/models";
import { expect, it } from "vitest";
import { addSpending, NOTHING_SPENT, spendingOf } from "./spending.ts";

const usage = { ...NO_USAGE, inputTokens: 1_000_000, outputTokens: 200_000 };

it("prices calls by the catalog, all of them together", () => {
  const { model } = findModel(loadCatalog(), "claude-haiku-4-5");
  expect(spendingOf([usage], model)).toEqual({ usage, costUsd: 2 });
  expect(spendingOf([usage, usage], model).costUsd).toBe(4);
  expect(spendingOf([], model)).toEqual(NOTHING_SPENT);
});

it("counts a model without a price as free", () => {
  expect(spendingOf([usage], {})).toEqual({ usage, costUsd: 0 });
});

it("adds up every figure", () => {
  const one = {
    inputTokens: 1,
    cacheReadTokens: 2,
    cacheWriteTokens: 3,
    cacheWriteHourTokens: 1,
    outputTokens: 4,
    reasoningTokens: 2,
    iterations: [NO_USAGE],
  };
  expect(addSpending({ usage: one, costUsd: 1 }, { usage: one, costUsd: 2 })).toEqual({
    usage: {
      inputTokens: 2,
      cacheReadTokens: 4,
      cacheWriteTokens: 6,
      cacheWriteHourTokens: 2,
      outputTokens: 8,
      reasoningTokens: 4,
      iterations: [NO_USAGE, NO_USAGE],
    },
    costUsd: 3,
  });
});

it("starts from nothing", () => {
  expect(addSpending(NOTHING_SPENT, { usage, costUsd: 2 })).toEqual({ usage, costUsd: 2 });
});
