import type { AnalyticsAnswer, TotalsAnswer } from "@longhaul/settings";

const HOUR_MS = 3_600_000;

/** When every hour or day of a span begins, also those in which nothing happened, so that a chart has the whole span. */
export function bucketTimes({
  bucket,
  sinceMs,
  untilMs,
}: Pick<AnalyticsAnswer, "bucket" | "sinceMs" | "untilMs">): readonly number[] {
  const stepMs = bucket === "hour" ? HOUR_MS : 24 * HOUR_MS;
  const firstMs = Math.floor(sinceMs / stepMs) * stepMs;
  const count = Math.max(0, Math.ceil((untilMs - firstMs) / stepMs));
  return Array.from({ length: count }, (_, index) => firstMs + index * stepMs);
}

/** A figure at each of these times; zero where nothing happened. */
export function figuresAt<T extends Pick<TotalsAnswer, "atMs">>(
  times: readonly number[],
  overTime: readonly T[],
  read: (totals: T) => number,
): readonly number[] {
  const figures = new Map(overTime.map((totals) => [totals.atMs, read(totals)]));
  return times.map((atMs) => figures.get(atMs) ?? 0);
}
