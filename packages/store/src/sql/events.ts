import type {
  CondensationEvent,
  CondensationQuery,
  EventBatch,
  Events,
  RequestEvent,
  RequestQuery,
} from "../contract/events.ts";
import { readFailures, readLatencies, readLatestTurns } from "./activity.ts";
import type { Engine, Insertion } from "./engine.ts";
import { readSession, readSessions, readSessionValues } from "./read-sessions.ts";
import { countSessions, INTO_SESSION_HOURS, INTO_SESSIONS, sessionHours, sessionRows } from "./sessions.ts";
import {
  type CondensationRow,
  countDeleted,
  type Database,
  type RequestRow,
  readJson,
  readJsonObject,
} from "./tables.ts";
import { hasFailed, INTO_TOTALS, pruneHours, readTotals, totalsRows } from "./totals.ts";
import { startOfHour } from "./utc.ts";

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
    session: (tenant, session) => readSession(database, tenant, session),
    sessions: (query) => readSessions(database, query),
    sessionValues: () => readSessionValues(database),
    latestTurns: (sinceMs) => readLatestTurns(database, sinceMs),
    failures: (span) => readFailures(database, span),
    latencies: (span) => readLatencies(database, span),
    countSessions: (span) => countSessions(database, span),
    totals: (query) => readTotals(database, query),
    clear: (tenant, session) =>
      database.transaction().execute(async (transaction) => {
        const clear = (table: EventTable | "sessions") =>
          countDeleted(transaction.deleteFrom(table).where("session", "=", session).where("tenant", "=", tenant));
        const count = (await clear("requests")) + (await clear("condensations"));
        await clear("sessionHours");
        await clear("sessions");
        return count;
      }),
    async prune(beforeMs) {
      const count =
        (await deleteBefore(database, "requests", beforeMs)) +
        (await deleteBefore(database, "condensations", beforeMs));
      await database.deleteFrom("sessionHours").where("atMs", "<", startOfHour(beforeMs)).execute();
      await database.deleteFrom("sessions").where("lastAtMs", "<", beforeMs).execute();
      await pruneHours(database, beforeMs);
      return count;
    },
  };
}

type EventTable = "requests" | "condensations" | "sessionHours";

/** Rows of a few KB that are deleted at once, in about a millisecond. */
const DELETED_ROWS = 100;

/** Deletes old events in batches: other statements run in between. */
async function deleteBefore(database: Database, table: "requests" | "condensations", ms: number): Promise<number> {
  for (let count = 0; ; ) {
    const deleted = await countDeleted(
      database
        .deleteFrom(table)
        .where("id", "in", ({ selectFrom }) =>
          selectFrom(table).select("id").where("atMs", "<", ms).orderBy("atMs").limit(DELETED_ROWS),
        ),
    );
    count += deleted;
    if (deleted < DELETED_ROWS) return count;
  }
}

async function readRequests(database: Database, query: RequestQuery): Promise<RequestEvent[]> {
  const { limit, before, hasFailed, isCondensed, sinceMs, untilMs } = query;
  let requests = database.selectFrom("requests").selectAll().orderBy("atMs", "desc").orderBy("id", "desc").limit(limit);
  for (const column of REQUEST_FILTERS) {
    const value = query[column];
    if (value !== undefined) requests = requests.where(column, "=", value);
  }
  if (hasFailed !== undefined) requests = requests.where("hasFailed", "=", hasFailed ? 1 : 0);
  if (isCondensed !== undefined) requests = requests.where("origin", isCondensed ? "!=" : "=", "");
  if (sinceMs !== undefined) requests = requests.where("atMs", ">=", sinceMs);
  if (untilMs !== undefined) requests = requests.where("atMs", "<", untilMs);
  if (before !== undefined) {
    requests = requests.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("atMs", "id"), "<", tuple(before.atMs, before.id)),
    );
  }
  return (await requests.execute()).map(requestOf);
}

const REQUEST_FILTERS = ["tenant", "session", "keyId", "model", "upstream", "strategy", "errorCode"] as const;

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

export async function addEvents({ database, insertRows }: Engine, batch: EventBatch): Promise<void> {
  const requests = uniqueSorted(batch.requests);
  const condensations = uniqueSorted(batch.condensations);
  const { descriptions = [] } = batch;
  if (requests.length + condensations.length + descriptions.length === 0) return;
  await database.transaction().execute(async (transaction) => {
    const added = {
      requests: onlyInserted(requests, await insertRows(transaction, INTO_REQUESTS, requests.map(requestRowOf))),
      condensations: onlyInserted(
        condensations,
        await insertRows(transaction, INTO_CONDENSATIONS, condensations.map(condensationRowOf)),
      ),
    };
    await insertRows(transaction, INTO_TOTALS, totalsRows(added));
    await insertRows(transaction, INTO_SESSION_HOURS, sessionHours(added));
    await insertRows(transaction, INTO_SESSIONS, sessionRows({ ...added, descriptions }));
  });
}

interface Identified {
  readonly id: string;
}

/** Returns the ids that are new. */
const INTO_REQUESTS: Insertion<"requests", Identified> = {
  table: "requests",
  finish: (insert) => insert.onConflict((conflict) => conflict.column("id").doNothing()).returning("id"),
};

/** Returns the ids that are new. */
const INTO_CONDENSATIONS: Insertion<"condensations", Identified> = {
  table: "condensations",
  finish: (insert) => insert.onConflict((conflict) => conflict.column("id").doNothing()).returning("id"),
};

/** Removes duplicates and sorts by id: two writers of the same rows in different orders would deadlock. */
function uniqueSorted<Event extends Identified>(events: readonly Event[]): Event[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  return [...byId.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}

function onlyInserted<Event extends Identified>(events: readonly Event[], known: readonly Identified[]): Event[] {
  const ids = new Set(known.map(({ id }) => id));
  return events.filter(({ id }) => ids.has(id));
}

export function requestRowOf(event: RequestEvent): RequestRow {
  return {
    ...event,
    isGone: event.isGone ? 1 : 0,
    hasFailed: hasFailed(event) ? 1 : 0,
    warnings: JSON.stringify(event.warnings),
    anatomy: JSON.stringify(event.anatomy),
  };
}

/** Warnings and anatomy that cannot be parsed are empty. */
export function requestOf({ hasFailed: _, ...row }: RequestRow): RequestEvent {
  const warnings = readJson(row.warnings);
  const anatomy = Object.entries(readJsonObject(row.anatomy));
  return {
    ...row,
    isGone: row.isGone === 1,
    warnings: Array.isArray(warnings) ? warnings.map(String) : [],
    anatomy: Object.fromEntries(anatomy.map(([part, tokens]) => [part, Number(tokens)])),
  };
}

export function condensationRowOf(event: CondensationEvent): CondensationRow {
  return { ...event, report: JSON.stringify(event.report) };
}

/** A report that cannot be parsed is empty. */
export function condensationOf(row: CondensationRow): CondensationEvent {
  return { ...row, report: readJsonObject(row.report) };
}
