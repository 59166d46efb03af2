import type { ReplayAnswer } from "@longhaul/admin/api";
import { describe, expect, it } from "vitest";
import { recommend } from "./comparison.tsx";

function makeRow(strategy: string, fields: Partial<ReplayAnswer>): ReplayAnswer {
  const figures = { requests: 10, condensations: 1, fits: true, sentTokens: 5, untouchedTokens: 9, windowTokens: 8 };
  const money = { costUsd: 1, untouchedUsd: 2, summaryUsd: 0, recall: 0.5 };
  return { strategy, name: strategy.toUpperCase(), model: "m", ...figures, ...money, lost: [], ...fields };
}

describe("recommend", () => {
  it("chooses the cheapest strategy that fits", () => {
    const rows = [makeRow("a", { costUsd: 1.5 }), makeRow("b", {}), makeRow("c", { costUsd: 0.1, fits: false })];
    expect(recommend(rows)).toEqual({
      strategy: "b",
      name: "B",
      reason: "It costs 50% less than the untouched session and keeps 50% of the content used later.",
    });
  });

  it("prefers better recall at about the same cost", () => {
    expect(recommend([makeRow("a", {}), makeRow("b", { costUsd: 1.04, recall: 0.9 })])?.strategy).toBe("b");
    expect(recommend([makeRow("a", {}), makeRow("b", { costUsd: 1.2, recall: 0.9 })])?.strategy).toBe("a");
  });

  it("says that a session fits without condensing", () => {
    const row = makeRow("a", { condensations: 0, costUsd: 2, recall: null });
    expect(recommend([row])?.reason).toBe("The session fits its window: it costs as much as the untouched session.");
  });

  it("recommends nothing without a price", () => {
    expect(recommend([makeRow("a", { costUsd: null })])).toBeUndefined();
  });
});
