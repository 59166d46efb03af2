import type { Transaction } from "kysely";
import type { CondensationEvent, EventBatch, RequestEvent, Totals, TotalsQuery } from "../contract/events.ts";
import { inChunks } from "./in-chunks.ts";
import { measuresOfCondensation, measuresOfRequest, NOTHING, perMeasure } from "./measures.ts";
import type { Database, Measures, Tables, TotalsRow } from "./tables.ts";
import { dayOf, hourOf } from "./utc.ts";

/** Adds events to the sums of their hours and days. */
export async function addTotals(transaction: Transaction<Tables>, batch: EventBatch): Promise<void> {
  for (const chunk of inChunks(totalsRows(batch))) {
    await transaction
      .insertInto("totals")
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(["bucket", "atMs", "tenant", "keyId", "upstream", "model", "strategy"])
          .doUpdateSet(({ eb, ref }) => perMeasure((name) => eb(`totals.${name}`, "+", ref(`excluded.${name}`)))),
      )
      .execute();
  }
}

/** Sums of whole hours or days. */
export async function readTotals(database: Database, query: TotalsQuery): Promise<readonly Totals[]> {
  const { bucket, by, tenant, sinceMs, untilMs } = query;
  let sums = database
    .selectFrom("totals")
    .where("bucket", "=", bucket)
    .where("atMs", ">=", beginOf(bucket, sinceMs))
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

/** Forgets the sums of hours; those of days stay. */
export async function pruneHours(database: Database, beforeMs: number): Promise<void> {
  await database.deleteFrom("totals").where("bucket", "=", "hour").where("atMs", "<", hourOf(beforeMs)).execute();
}

/** One row for each place, all in one order: two who write the same rows in two orders wait for each other for ever. */
function totalsRows({ requests, condensations }: EventBatch): TotalsRow[] {
  const rows = new Map<string, TotalsRow>();
  const add = (event: RequestEvent | CondensationEvent, measures: Measures) => {
    for (const bucket of ["hour", "day"] as const) {
      const { tenant, keyId, upstream, model, strategy } = event;
      const place = { bucket, atMs: beginOf(bucket, event.atMs), tenant, keyId, upstream, model, strategy };
      const spelled = JSON.stringify(Object.values(place));
      const known = rows.get(spelled) ?? NOTHING;
      rows.set(spelled, { ...place, ...perMeasure((name) => known[name] + measures[name]) });
    }
  };
  for (const request of requests) add(request, measuresOfRequest(request));
  for (const condensation of condensations) add(condensation, measuresOfCondensation(condensation));
  return [...rows].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
}

function beginOf(bucket: "hour" | "day", atMs: number): number {
  return bucket === "hour" ? hourOf(atMs) : dayOf(atMs);
}

function byTime(left: Totals, right: Totals): number {
  return left.atMs - right.atMs || (left.group < right.group ? -1 : 1);
}
