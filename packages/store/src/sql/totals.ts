import {
  type CondensationEvent,
  type EventBatch,
  hasResult,
  type RequestEvent,
  type Totals,
  type TotalsQuery,
} from "../contract/events.ts";
import type { Insertion } from "./engine.ts";
import type { Database, Measures, TotalsRow } from "./tables.ts";
import { startOfDay, startOfHour } from "./utc.ts";

export const INTO_TOTALS: Insertion<"totals", unknown> = {
  table: "totals",
  finish: (insert) =>
    insert.onConflict((conflict) =>
      conflict
        .columns(["bucket", "atMs", "tenant", "keyId", "upstream", "model", "strategy"])
        .doUpdateSet(({ eb, ref }) => perMeasure((name) => eb(`totals.${name}`, "+", ref(`excluded.${name}`)))),
    ),
};

export async function readTotals(database: Database, query: TotalsQuery): Promise<readonly Totals[]> {
  const { bucket, by, tenant, sinceMs, untilMs } = query;
  let sums = database
    .selectFrom("totals")
    .where("bucket", "=", bucket)
    .where("atMs", ">=", bucketStart(bucket, sinceMs))
    .where("atMs", "<", untilMs)
    .groupBy("atMs")
    .select("atMs")
    .select(({ fn }) => Object.values(perMeasure((name) => fn.sum<number>(name).as(name))));
  if (tenant !== undefined) sums = sums.where("tenant", "=", tenant);
  const rows =
    by === undefined
      ? await sums.select(({ val }) => val("").as("group")).execute()
      : await sums.select(`${by} as group`).groupBy(by).execute();
  return rows.map((row) => ({ ...row })).sort(byTime);
}

export async function pruneHours(database: Database, beforeMs: number): Promise<void> {
  await database.deleteFrom("totals").where("bucket", "=", "hour").where("atMs", "<", startOfHour(beforeMs)).execute();
}

/** Sums up a batch by hour and by day. Sorted: two writers of the same rows in different orders would deadlock. */
export function totalsRows({ requests, condensations }: EventBatch): TotalsRow[] {
  const hours = new Sums("hour");
  for (const request of requests) hours.add(request, measuresOfRequest(request));
  for (const condensation of condensations) hours.add(condensation, measuresOfCondensation(condensation));
  const days = new Sums("day");
  for (const row of hours.rows()) days.add(row, row);
  return [...hours.rows(), ...days.rows()];
}

class Sums {
  readonly #bucket: TotalsRow["bucket"];
  readonly #rows = new Map<string, TotalsRow>();

  constructor(bucket: TotalsRow["bucket"]) {
    this.#bucket = bucket;
  }

  add(at: Omit<TotalsRow, "bucket" | keyof Measures>, measures: Measures): void {
    const { tenant, keyId, upstream, model, strategy } = at;
    const columns = {
      bucket: this.#bucket,
      atMs: bucketStart(this.#bucket, at.atMs),
      tenant,
      keyId,
      upstream,
      model,
      strategy,
    };
    const key = JSON.stringify(Object.values(columns));
    const known = this.#rows.get(key) ?? ZERO_MEASURES;
    this.#rows.set(key, { ...columns, ...perMeasure((name) => known[name] + measures[name]) });
  }

  rows(): TotalsRow[] {
    return [...this.#rows].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
  }
}

function bucketStart(bucket: "hour" | "day", atMs: number): number {
  return bucket === "hour" ? startOfHour(atMs) : startOfDay(atMs);
}

function byTime(left: Totals, right: Totals): number {
  return left.atMs - right.atMs || (left.group < right.group ? -1 : 1);
}

/** Makes a value for each figure of the totals. */
export function perMeasure<T>(make: (name: keyof Measures) => T): Record<keyof Measures, T> {
  return {
    requests: make("requests"),
    errors: make("errors"),
    fallbacks: make("fallbacks"),
    overWindow: make("overWindow"),
    inputTokens: make("inputTokens"),
    cacheReadTokens: make("cacheReadTokens"),
    cacheWriteTokens: make("cacheWriteTokens"),
    outputTokens: make("outputTokens"),
    savedTokens: make("savedTokens"),
    costUsd: make("costUsd"),
    savedUsd: make("savedUsd"),
    deduplicatedUsd: make("deduplicatedUsd"),
    cachedUsd: make("cachedUsd"),
    addedMs: make("addedMs"),
    condensations: make("condensations"),
    condensingUsd: make("condensingUsd"),
  };
}

export const ZERO_MEASURES: Measures = perMeasure(() => 0);

/** Returns the figures of one request. */
export function measuresOfRequest(event: RequestEvent): Measures {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, costUsd, savedUsd, addedMs } = event;
  const { deduplicatedUsd, cachedUsd } = event;
  const isSent = event.sentTokens > 0;
  return {
    ...ZERO_MEASURES,
    requests: 1,
    errors: hasFailed(event) ? 1 : 0,
    fallbacks: event.attempts > 1 ? 1 : 0,
    overWindow: isOverWindow(event) ? 1 : 0,
    inputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens,
    savedTokens: isSent ? event.originalTokens - event.sentTokens : 0,
    costUsd,
    savedUsd,
    deduplicatedUsd,
    cachedUsd,
    addedMs,
  };
}

/** Returns the figures of one condensation. One without a result counts only by its cost. */
export function measuresOfCondensation(event: CondensationEvent): Measures {
  return { ...ZERO_MEASURES, condensations: hasResult(event) ? 1 : 0, condensingUsd: event.costUsd };
}

/** Whether a request failed, before or after its response began. */
export function hasFailed({ status, errorCode }: RequestEvent): boolean {
  return status >= 400 || errorCode !== "";
}

/** Whether a prompt had outgrown its model's context window; false if either size is unknown. */
export function isOverWindow({ originalTokens, windowTokens }: RequestEvent): boolean {
  return windowTokens > 0 && originalTokens > windowTokens;
}
