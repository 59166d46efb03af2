import type { Transaction } from "kysely";
import type {
  CondensationEvent,
  CondensationQuery,
  EventBatch,
  Events,
  RequestEvent,
  RequestQuery,
} from "../contract/events.ts";
import { condensationOf, condensationRowOf, requestOf, requestRowOf } from "./event-rows.ts";
import { inChunks } from "./in-chunks.ts";
import { addSessions, countSessions, readSessions } from "./sessions.ts";
import type { Database, Tables } from "./tables.ts";
import { addTotals, pruneHours, readTotals } from "./totals.ts";

/** Events in a database. */
export function makeEvents(database: Database): Events {
  return {
    add: (batch) => add(database, batch),
    requests: (query) => readRequests(database, query),
    async request(id) {
      const row = await database.selectFrom("requests").selectAll().where("id", "=", id).executeTakeFirst();
      return row && requestOf(row);
    },
    condensations: (query) => readCondensations(database, query),
    sessions: (query) => readSessions(database, query),
    countSessions: (span) => countSessions(database, span),
    totals: (query) => readTotals(database, query),
    clear: (tenant, session) =>
      database.transaction().execute(async (transaction) => {
        const [requests, condensations] = [
          await clearOf(transaction, "requests", { tenant, session }),
          await clearOf(transaction, "condensations", { tenant, session }),
        ];
        await clearOf(transaction, "sessions", { tenant, session });
        return requests + condensations;
      }),
    async prune(beforeMs) {
      const requests = await pruneOf(database, "requests", beforeMs);
      const condensations = await pruneOf(database, "condensations", beforeMs);
      await database.deleteFrom("sessions").where("lastAtMs", "<", beforeMs).execute();
      await pruneHours(database, beforeMs);
      return requests + condensations;
    },
  };
}

async function add(database: Database, batch: EventBatch): Promise<void> {
  if (batch.requests.length + batch.condensations.length === 0) return;
  await database.transaction().execute(async (transaction) => {
    const added = {
      requests: await addRequests(transaction, batch.requests),
      condensations: await addCondensations(transaction, batch.condensations),
    };
    await addTotals(transaction, added);
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

async function readRequests(database: Database, query: RequestQuery): Promise<RequestEvent[]> {
  const { limit, before, hasFailed } = query;
  let requests = database.selectFrom("requests").selectAll().orderBy("atMs", "desc").orderBy("id", "desc").limit(limit);
  for (const column of ["tenant", "session", "keyId", "model"] as const) {
    const value = query[column];
    if (value !== undefined) requests = requests.where(column, "=", value);
  }
  if (hasFailed !== undefined) requests = requests.where("hasFailed", "=", hasFailed ? 1 : 0);
  if (before !== undefined) {
    requests = requests.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("atMs", "id"), "<", tuple(before.atMs, before.id)),
    );
  }
  return (await requests.execute()).map(requestOf);
}

async function readCondensations(database: Database, query: CondensationQuery): Promise<CondensationEvent[]> {
  const { limit, sinceMs } = query;
  let condensations = database
    .selectFrom("condensations")
    .selectAll()
    .orderBy("atMs", "desc")
    .orderBy("id", "desc")
    .limit(limit);
  for (const column of ["tenant", "session", "requestId"] as const) {
    const value = query[column];
    if (value !== undefined) condensations = condensations.where(column, "=", value);
  }
  if (sinceMs !== undefined) condensations = condensations.where("atMs", ">=", sinceMs);
  return (await condensations.execute()).map(condensationOf);
}

async function clearOf(
  database: Database,
  table: "requests" | "condensations" | "sessions",
  { tenant, session }: { tenant: string; session: string },
): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom(table)
    .where("session", "=", session)
    .where("tenant", "=", tenant)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function pruneOf(database: Database, table: "requests" | "condensations", beforeMs: number): Promise<number> {
  const { numDeletedRows } = await database.deleteFrom(table).where("atMs", "<", beforeMs).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
