import type { Transaction } from "kysely";
import type { EventBatch, Span } from "../contract/events.ts";
import { isOverWindow } from "./event-rows.ts";
import { inChunks } from "./in-chunks.ts";
import type { Database, SessionHourRow, Tables } from "./tables.ts";
import { hourOf } from "./utc.ts";

/** Notes which sessions were used in which hours: many requests make one row, so that counting sessions reads few. */
export async function addSessionHours(transaction: Transaction<Tables>, batch: EventBatch): Promise<void> {
  for (const chunk of inChunks(sessionHours(batch))) {
    await transaction
      .insertInto("sessionHours")
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(["atMs", "session", "tenant"])
          .doUpdateSet(({ ref }) => ({ isOverWindow: ref("excluded.isOverWindow") }))
          .where("excluded.isOverWindow", "=", 1),
      )
      .execute();
  }
}

/** How many sessions were used in the hours that a span touches, and how many of them had outgrown a window then. */
export async function countSessions(database: Database, { sinceMs, untilMs }: Span) {
  const used = database
    .selectFrom("sessionHours")
    .select(({ fn }) => ["session", "tenant", fn.max("isOverWindow").as("isOverWindow")])
    .where("atMs", ">=", hourOf(sinceMs))
    .where("atMs", "<", untilMs)
    .groupBy(["session", "tenant"]);
  const { all, keptAlive } = await database
    .selectFrom(used.as("used"))
    .select(({ fn }) => [fn.countAll().as("all"), fn.sum("used.isOverWindow").as("keptAlive")])
    .executeTakeFirstOrThrow();
  return { all: Number(all), keptAlive: Number(keptAlive) };
}

/** In one order: two who write the same rows in two orders wait for each other for ever. */
function sessionHours({ requests }: EventBatch): SessionHourRow[] {
  const rows = new Map<string, SessionHourRow>();
  for (const request of requests.filter(({ session }) => session !== "")) {
    const place = { atMs: hourOf(request.atMs), session: request.session, tenant: request.tenant };
    const spelled = JSON.stringify(Object.values(place));
    const isOver = isOverWindow(request) || rows.get(spelled)?.isOverWindow === 1;
    rows.set(spelled, { ...place, isOverWindow: isOver ? 1 : 0 });
  }
  return [...rows].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
}
