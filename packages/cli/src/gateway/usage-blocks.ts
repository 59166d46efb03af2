import type { Totals } from "@longhaul/store";
import { sumUp, type UsageRow } from "./usage-rows.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Subscriptions limit usage in windows of this length, beginning with the hour of the first request. */
const BLOCK_MS = 5 * HOUR_MS;

/** The requests of five hours, from the full hour of the first one on. */
export interface UsageBlock extends UsageRow {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly isActive: boolean;
  /** Between its first and its last request; null if there is no time between them. */
  readonly burnRate: BurnRate | null;
  /** Its figures at the end, if an active block goes on at this rate. */
  readonly projected: { readonly tokens: number; readonly costUsd: number } | null;
}

interface BurnRate {
  /** All tokens: input, cache writes, cache reads and output. */
  readonly tokensPerMinute: number;
  readonly usdPerHour: number;
}

/** Groups requests into blocks, latest first. */
export function blocksOf(entries: readonly Totals[], nowMs: number): UsageBlock[] {
  const blocks: Totals[][] = [];
  let untilMs = Number.NEGATIVE_INFINITY;
  for (const entry of entries.toSorted((a, b) => a.atMs - b.atMs)) {
    if (entry.atMs >= untilMs) {
      blocks.push([]);
      untilMs = startOf(entry) + BLOCK_MS;
    }
    blocks.at(-1)?.push(entry);
  }
  return blocks.map((block) => blockOf(block, nowMs)).reverse();
}

function startOf({ atMs }: Totals): number {
  return Math.floor(atMs / HOUR_MS) * HOUR_MS;
}

function blockOf(entries: readonly Totals[], nowMs: number): UsageBlock {
  const [first] = entries;
  const last = entries.at(-1);
  const sinceMs = first === undefined ? 0 : startOf(first);
  const untilMs = sinceMs + BLOCK_MS;
  const row = sumUp(nameOf(sinceMs, untilMs), entries);
  const minutes = first === undefined || last === undefined ? 0 : (last.atMs - first.atMs) / MINUTE_MS;
  const tokens = allTokens(row);
  const burnRate =
    minutes === 0 ? null : { tokensPerMinute: tokens / minutes, usdPerHour: (row.costUsd / minutes) * 60 };
  const isActive = nowMs < untilMs;
  return {
    ...row,
    sinceMs,
    untilMs,
    isActive,
    burnRate,
    projected: isActive ? projection(row, burnRate, untilMs - nowMs) : null,
  };
}

export function allTokens({ inputTokens, cacheWriteTokens, cacheReadTokens, outputTokens }: UsageRow): number {
  return inputTokens + cacheWriteTokens + cacheReadTokens + outputTokens;
}

function projection(row: UsageRow, rate: BurnRate | null, leftMs: number): UsageBlock["projected"] {
  if (rate === null) return null;
  const leftMinutes = leftMs / MINUTE_MS;
  return {
    tokens: Math.round(allTokens(row) + rate.tokensPerMinute * leftMinutes),
    costUsd: row.costUsd + (rate.usdPerHour / 60) * leftMinutes,
  };
}

function nameOf(sinceMs: number, untilMs: number): string {
  const minuteOf = (ms: number) => new Date(ms).toISOString().slice(0, "2026-01-01T00:00".length).replace("T", " ");
  return `${minuteOf(sinceMs)}–${minuteOf(untilMs).slice("2026-01-01 ".length)}`;
}
