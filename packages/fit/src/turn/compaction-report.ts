import type { Report } from "@longhaul/condense";

/** What is reported of a compaction that a vendor made. */
export function compactionReport(figures: Pick<Report, "tokensBefore" | "tokensAfter" | "costUsd">): Report {
  const name = { strategy: "compaction", strategyName: "Compaction on the server" };
  return { ...name, ...figures, passes: [], savedUsd: 0, milliseconds: 0, fallbacks: [], warnings: [] };
}
