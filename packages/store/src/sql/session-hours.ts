import type { EventBatch, Span } from "../contract/events.ts";
import type { Insertion } from "./engine.ts";
import { isOverWindow } from "./event-rows.ts";
import type { Database, SessionHourRow } from "./tables.ts";
import { hourOf } from "./utc.ts";

/** Never forgets that a window was outgrown. */
export const INTO_SESSION_HOURS: Insertion<"sessionHours", unknown> = {
  table: "sessionHours",
  finish: (insert) =>
    insert.onConflict((conflict) =>
      conflict
        .columns(["atMs", "session", "tenant"])
        .doUpdateSet(({ ref }) => ({ isOverWindow: ref("excluded.isOverWindow") }))
        .where("excluded.isOverWindow", "=", 1),
    ),
};

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

/**
 * Which sessions were used in which hours: many requests make one row, so that counting sessions reads few. In one order: two who write the same rows in two orders wait for each other for ever.
 */
export function sessionHours({ requests }: EventBatch): SessionHourRow[] {
  const rows = new Map<string, SessionHourRow>();
  for (const request of requests.filter(({ session }) => session !== "")) {
    const place = { atMs: hourOf(request.atMs), session: request.session, tenant: request.tenant };
    const spelled = JSON.stringify(Object.values(place));
    const isOver = isOverWindow(request) || rows.get(spelled)?.isOverWindow === 1;
    rows.set(spelled, { ...place, isOverWindow: isOver ? 1 : 0 });
  }
  return [...rows].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
}
