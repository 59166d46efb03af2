import type { AnalyticsAnswer, TotalsAnswer } from "@longhaul/admin/api";

/** What condensing saved, less what its summaries cost. */
export function netSavedUsd({ savedUsd, condensingUsd }: Pick<TotalsAnswer, "savedUsd" | "condensingUsd">): number {
  return savedUsd - condensingUsd;
}

/** What was paid: the requests, and the summaries that condensing took. */
export function spentUsd({ costUsd, condensingUsd }: Pick<TotalsAnswer, "costUsd" | "condensingUsd">): number {
  return costUsd + condensingUsd;
}

type Sent = Pick<TotalsAnswer, "inputTokens" | "cacheReadTokens" | "cacheWriteTokens">;

/** All tokens that were sent. */
export function sentTokens({ inputTokens, cacheReadTokens, cacheWriteTokens }: Sent): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}

/** How much of what was sent was read from a cache. */
export function cacheShare(totals: Sent): number {
  const all = sentTokens(totals);
  return all === 0 ? 0 : totals.cacheReadTokens / all;
}

/** The time that the gateway added to a request, on average. */
export function averageAddedMs({ addedMs, requests }: TotalsAnswer): number {
  return requests === 0 ? 0 : addedMs / requests;
}

/** How a figure has changed since the span before; nothing where there was none. */
export function formatChange(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const change = Math.round((100 * (now - before)) / Math.abs(before));
  if (change === 0) return "as before";
  return change > 0 ? `${change} % more than before` : `${-change} % less than before`;
}

/** The first moment of the hour, so that asking twice in it is asking the same. */
export function hoursBefore(hours: number, nowMs: number): number {
  const hourMs = 3_600_000;
  return (Math.floor(nowMs / hourMs) + 1 - hours) * hourMs;
}

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
export function valuesAt<T extends Pick<TotalsAnswer, "atMs">>(
  times: readonly number[],
  overTime: readonly T[],
  read: (totals: T) => number,
): readonly number[] {
  const figures = new Map(overTime.map((totals) => [totals.atMs, read(totals)]));
  return times.map((atMs) => figures.get(atMs) ?? 0);
}
