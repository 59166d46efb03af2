import type { Transaction } from "kysely";
import type { CondensationEvent, EventBatch, RequestEvent } from "../contract/events.ts";
import { condensationRowOf, requestRowOf } from "./event-rows.ts";
import { inChunks } from "./in-chunks.ts";
import { addSessionHours } from "./session-hours.ts";
import { addSessions } from "./sessions.ts";
import type { Database, Tables } from "./tables.ts";
import { addTotals } from "./totals.ts";

/** Keeps a batch with its sums, all or nothing. */
export async function addEvents(database: Database, batch: EventBatch): Promise<void> {
  if (batch.requests.length + batch.condensations.length === 0) return;
  await database.transaction().execute(async (transaction) => {
    const added = {
      requests: await addRequests(transaction, batch.requests),
      condensations: await addCondensations(transaction, batch.condensations),
    };
    await addTotals(transaction, added);
    await addSessionHours(transaction, added);
    await addSessions(transaction, added);
  });
}

/** Those that were not there before. */
async function addRequests(transaction: Transaction<Tables>, events: readonly RequestEvent[]): Promise<RequestEvent[]> {
  const sorted = inOrder(events);
  const added = new Set<string>();
  for (const chunk of inChunks(sorted.map(requestRowOf))) {
    const rows = await transaction
      .insertInto("requests")
      .values(chunk)
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .execute();
    for (const { id } of rows) added.add(id);
  }
  return sorted.filter(({ id }) => added.has(id));
}

/** Those that were not there before. */
async function addCondensations(
  transaction: Transaction<Tables>,
  events: readonly CondensationEvent[],
): Promise<CondensationEvent[]> {
  const sorted = inOrder(events);
  const added = new Set<string>();
  for (const chunk of inChunks(sorted.map(condensationRowOf))) {
    const rows = await transaction
      .insertInto("condensations")
      .values(chunk)
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .execute();
    for (const { id } of rows) added.add(id);
  }
  return sorted.filter(({ id }) => added.has(id));
}

/** One of each id, all in one order: two who write the same rows in two orders wait for each other for ever. */
function inOrder<Event extends { readonly id: string }>(events: readonly Event[]): Event[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  return [...byId.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}
