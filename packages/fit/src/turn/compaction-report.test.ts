import { expect, it } from "vitest";
import { compactionReport } from "./compaction-report.ts";

it("reports the figures under a name of their own, with no pass of ours", () => {
  const report = compactionReport({ tokensBefore: 100, tokensAfter: 10, costUsd: 0.5 });
  expect(report).toMatchObject({
    strategy: "compaction",
    tokensBefore: 100,
    tokensAfter: 10,
    costUsd: 0.5,
    passes: [],
  });
});
