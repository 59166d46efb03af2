import { findStrategy, roomyLimits } from "@longhaul/condense";
import { expect, it } from "vitest";
import { COUNTERS, makeTerms } from "../testing/previews.ts";
import { dryRun } from "./dry-run.ts";
import { findExample } from "./examples/examples.ts";
import { measure } from "./preview-work.ts";

const terms = makeTerms({ configs: { sandwich: { preserveTop: 12 } } });
const measured = await measure(findExample("bug-hunt").text, { counters: COUNTERS, termsFor: async () => terms });

it("tells what would be asked for, and that nothing is kept of what nobody wrote", () => {
  const { asked, report, fits } = dryRun(findStrategy("native"), measured);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.inputTokens).toBeGreaterThan(report.tokensBefore / 2);
  expect(report.tokensAfter).toBeLessThan(report.tokensBefore / 2);
  expect([fits, report.costUsd, report.fallbacks]).toEqual([true, 0, []]);
});

it("goes by what is set for the strategy", () => {
  const plain = { ...measured, terms: makeTerms() };
  const [set, unset] = [measured, plain].map((each) => dryRun(findStrategy("sandwich"), each).report.tokensAfter);
  expect(set).not.toBe(unset);
});

it("leaves as much room for the turns to come as the gateway does, however much a strategy keeps", () => {
  for (let preserveTop = 1; preserveTop <= 40; preserveTop++) {
    const set = { ...measured, terms: makeTerms({ configs: { sandwich: { preserveTop } } }) };
    const { report } = dryRun(findStrategy("sandwich"), set);
    expect(report.tokensAfter).toBeLessThanOrEqual(roomyLimits(measured.limits).budgetTokens);
  }
});
