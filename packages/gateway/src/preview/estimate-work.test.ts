import { STRATEGIES } from "@longhaul/condense";
import { expect, it } from "vitest";
import { COUNTERS, makeTerms } from "../testing/previews.ts";
import { estimateWork } from "./estimate-work.ts";
import { findExample } from "./examples/examples.ts";

it("runs every strategy dry and says what came of it", async () => {
  const told = await estimateWork(findExample("outage").text, {
    counters: COUNTERS,
    termsFor: async () => makeTerms(),
  });
  expect(told.strategies.map(({ id }) => id)).toEqual(STRATEGIES.map(({ id }) => id));
  for (const { tokensAfter, reductionPercent, reachesTarget, asks, costUsd } of told.strategies) {
    expect(reductionPercent).toBeCloseTo(100 * (1 - tokensAfter / told.anatomy.tokens));
    expect(reachesTarget).toBe(tokensAfter <= told.limits.targetTokens);
    expect(costUsd === 0).toBe(asks === 0);
  }
  expect(told.profiles).toMatchObject({ strategy: "native", costs: [{ profile: null, savedUsd: 0 }] });
});
