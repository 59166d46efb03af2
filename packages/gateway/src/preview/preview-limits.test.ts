import { expect, it } from "vitest";
import { makeTerms } from "../testing/previews.ts";
import { previewLimits } from "./preview-limits.ts";

const { window } = makeTerms();

it("takes a budget by its word", () => {
  const limits = { windowTokens: 500, budgetTokens: 500, targetTokens: 500, triggerTokens: 500 };
  expect(previewLimits({ ...window, budgetTokens: 500, chosenTokens: 900 }, 100)).toMatchObject({
    ...limits,
    isAssumed: false,
  });
});

it("keeps room for an answer in a window that is chosen", () => {
  expect(previewLimits({ ...window, chosenTokens: 10_000 }, 100)).toMatchObject({
    windowTokens: 10_000,
    budgetTokens: 10_000 - 2_000 - 100,
    isAssumed: false,
  });
});

it("goes by the model's window once a conversation has outgrown it, and assumes a smaller one before", () => {
  expect(previewLimits(window, 190_000)).toMatchObject({ windowTokens: 200_000, isAssumed: false });
  expect(previewLimits(window, 1_000)).toMatchObject({ windowTokens: 750, isAssumed: true });
  expect(previewLimits(window, 0)).toMatchObject({ windowTokens: 1, isAssumed: true });
  expect(previewLimits({ ...window, thresholdPercent: 50 }, 110_000)).toMatchObject({
    triggerTokens: 100_000,
    isAssumed: false,
  });
});
