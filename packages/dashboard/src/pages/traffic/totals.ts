import type { AnalyticsAnswer, CondensationAnswer, RequestEventAnswer, TotalsAnswer } from "@longhaul/admin/api";
import { strings } from "../../strings/overview.ts";

/** Returns the savings of condensing, minus the cost of its summaries. */
export function netSavedUsd({ savedUsd, condensingUsd }: Pick<TotalsAnswer, "savedUsd" | "condensingUsd">): number {
  return savedUsd - condensingUsd;
}

export function spentUsd({ costUsd, condensingUsd }: Pick<TotalsAnswer, "costUsd" | "condensingUsd">): number {
  return costUsd + condensingUsd;
}

type Sent = Pick<TotalsAnswer, "inputTokens" | "cacheReadTokens" | "cacheWriteTokens">;

/** Returns all tokens sent, cached ones included. */
export function sentTokens({ inputTokens, cacheReadTokens, cacheWriteTokens }: Sent): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}

export function cacheShare(totals: Sent): number {
  const all = sentTokens(totals);
  return all === 0 ? 0 : totals.cacheReadTokens / all;
}

/** Returns whether a condensation made its conversation smaller. One without a result only has a cost. */
export function hasResult({ tokensBefore, tokensAfter }: Pick<CondensationAnswer, "tokensBefore" | "tokensAfter">) {
  return tokensAfter < tokensBefore;
}

type Sending = Pick<RequestEventAnswer, "id" | "origin">;

/**
 * Counts the turns that were sent with the result of an earlier condensation. References to repeated lines need no condensation, and the
 * first turn with a summary that was written in the background is the one that was condensed.
 */
export function countReused(turns: readonly Sending[], condensations: readonly CondensationAnswer[]): number {
  const made = new Set(condensations.filter(hasResult).map(({ requestId }) => requestId));
  let reused = 0;
  let isAfter = false;
  let isAwaited = false;
  for (const { id, origin } of turns) {
    if (isAfter && origin === "reused" && !isAwaited) reused += 1;
    if (origin === "reused") isAwaited = false;
    if (!made.has(id)) continue;
    isAfter = true;
    isAwaited = origin !== "new";
  }
  return reused;
}

/** Formats the change since the previous period, if that had a value. */
export function formatChange(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const { same, more, less } = strings.change;
  const change = Math.round((100 * (now - before)) / Math.abs(before));
  if (change === 0) return same;
  return change > 0 ? more(change) : less(-change);
}

const HOUR_MS = 3_600_000;

/** Returns the start of a period of hours. It is a full hour, so that the address of a query changes only once an hour. */
export function hoursBefore(hours: number, nowMs: number): number {
  return (Math.floor(nowMs / HOUR_MS) + 1 - hours) * HOUR_MS;
}

/** Returns the start of every hour or day in a period, including those without traffic. */
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

/** Returns one value per time, zero for times without traffic. */
export function valuesAt<T extends Pick<TotalsAnswer, "atMs">>(
  times: readonly number[],
  overTime: readonly T[],
  read: (totals: T) => number,
): readonly number[] {
  const values = new Map(overTime.map((totals) => [totals.atMs, read(totals)]));
  return times.map((atMs) => values.get(atMs) ?? 0);
}
