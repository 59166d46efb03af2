import type {
  CondensationEvent,
  CondensationQuery,
  EventBatch,
  Events,
  RequestEvent,
  RequestQuery,
} from "../contract/events.ts";
import type { Engine, Insertion } from "./engine.ts";
import { condensationOf, condensationRowOf, requestOf, requestRowOf } from "./event-rows.ts";
import {
  countSessions,
  INTO_SESSION_HOURS,
  INTO_SESSIONS,
  readSessions,
  sessionHours,
  sessionRows,
} from "./sessions.ts";
import type { Database } from "./tables.ts";
import { INTO_TOTALS, pruneHours, readTotals, totalsRows } from "./totals.ts";
import { hourOf } from "./utc.ts";

/** Events in a database. */
export function makeEvents(engine: Engine): Events {
  const { database } = engine;
  return {
    add: (batch) => addEvents(engine, batch),
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
        const clear = (table: SessionTable) => clearOf(transaction, table, { tenant, session });
        const count = (await clear("requests")) + (await clear("condensations"));
        await clear("sessionHours");
        await clear("sessions");
        return count;
      }),
    async prune(beforeMs) {
      const count =
        (await pruneOf(database, "requests", beforeMs)) + (await pruneOf(database, "condensations", beforeMs));
      await pruneOf(database, "sessionHours", hourOf(beforeMs));
      await database.deleteFrom("sessions").where("lastAtMs", "<", beforeMs).execute();
      await pruneHours(database, beforeMs);
      return count;
    },
  };
}

type EventTable = "requests" | "condensations" | "sessionHours";
type SessionTable = EventTable | "sessions";

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
  table: SessionTable,
  { tenant, session }: { tenant: string; session: string },
): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom(table)
    .where("session", "=", session)
    .where("tenant", "=", tenant)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function pruneOf(database: Database, table: EventTable, beforeMs: number): Promise<number> {
  const { numDeletedRows } = await database.deleteFrom(table).where("atMs", "<", beforeMs).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

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
