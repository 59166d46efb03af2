import type { AnalyticsAnswer, TotalsAnswer } from "@longhaul/settings";

const HOUR_MS = 3_600_000;

/** The sums of every hour or day of a span; where nothing happened, zeros, so that a chart has the whole span. */
export function everyBucket(
  sums: Pick<AnalyticsAnswer, "bucket" | "sinceMs" | "untilMs" | "overTime">,
): readonly TotalsAnswer[] {
  const stepMs = sums.bucket === "hour" ? HOUR_MS : 24 * HOUR_MS;
  const known = new Map(sums.overTime.map((totals) => [totals.atMs, totals]));
  const firstMs = Math.floor(sums.sinceMs / stepMs) * stepMs;
  const count = Math.max(0, Math.ceil((sums.untilMs - firstMs) / stepMs));
  return Array.from({ length: count }, (_, index) => {
    const atMs = firstMs + index * stepMs;
    return known.get(atMs) ?? { ...NOTHING, atMs };
  });
}

const NOTHING: TotalsAnswer = {
  atMs: 0,
  group: "",
  requests: 0,
  errors: 0,
  fallbacks: 0,
  overWindow: 0,
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  savedTokens: 0,
  costUsd: 0,
  savedUsd: 0,
  addedMs: 0,
  condensations: 0,
  condensingUsd: 0,
};
