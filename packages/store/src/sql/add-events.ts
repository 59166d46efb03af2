import type { EventBatch } from "../contract/events.ts";
import type { Engine, Insertion } from "./engine.ts";
import { condensationRowOf, requestRowOf } from "./event-rows.ts";
import { INTO_SESSION_HOURS, sessionHours } from "./session-hours.ts";
import { sessionRows } from "./session-rows.ts";
import { INTO_SESSIONS } from "./sessions.ts";
import { INTO_TOTALS, totalsRows } from "./totals.ts";

/** Keeps a batch with its sums, all or nothing. */
export async function addEvents({ database, insertRows }: Engine, batch: EventBatch): Promise<void> {
  const requests = inOrder(batch.requests);
  const condensations = inOrder(batch.condensations);
  if (requests.length + condensations.length === 0) return;
  await database.transaction().execute(async (transaction) => {
    const added = {
      requests: those(requests, await insertRows(transaction, INTO_REQUESTS, requests.map(requestRowOf))),
      condensations: those(
        condensations,
        await insertRows(transaction, INTO_CONDENSATIONS, condensations.map(condensationRowOf)),
      ),
    };
    await insertRows(transaction, INTO_TOTALS, totalsRows(added));
    await insertRows(transaction, INTO_SESSION_HOURS, sessionHours(added));
    await insertRows(transaction, INTO_SESSIONS, sessionRows(added));
  });
}

interface Known {
  readonly id: string;
}

/** Tells those that were not there before. */
const INTO_REQUESTS: Insertion<"requests", Known> = {
  table: "requests",
  finish: (insert) => insert.onConflict((conflict) => conflict.column("id").doNothing()).returning("id"),
};

/** Tells those that were not there before. */
const INTO_CONDENSATIONS: Insertion<"condensations", Known> = {
  table: "condensations",
  finish: (insert) => insert.onConflict((conflict) => conflict.column("id").doNothing()).returning("id"),
};

/** One of each id, all in one order: two who write the same rows in two orders wait for each other for ever. */
function inOrder<Event extends Known>(events: readonly Event[]): Event[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  return [...byId.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}

function those<Event extends Known>(events: readonly Event[], known: readonly Known[]): Event[] {
  const ids = new Set(known.map(({ id }) => id));
  return events.filter(({ id }) => ids.has(id));
}
