import type { ExpressionBuilder, OnConflictDatabase, OnConflictTables } from "kysely";
import {
  type CondensationEvent,
  type EventBatch,
  hasResult,
  type RequestEvent,
  type SessionDescription,
  type SessionSummary,
  type Span,
} from "../contract/events.ts";
import type { Insertion } from "./engine.ts";
import type { Database, SessionHourRow, Tables } from "./tables.ts";
import { hasFailed, isOverWindow } from "./totals.ts";
import { startOfHour } from "./utc.ts";

export const INTO_SESSIONS: Insertion<"sessions", unknown> = {
  table: "sessions",
  finish: (insert) =>
    insert.onConflict((conflict) => conflict.columns(["session", "tenant"]).doUpdateSet(mergedColumns)),
};

type Conflict = ExpressionBuilder<OnConflictDatabase<Tables, "sessions">, OnConflictTables<"sessions">>;

function mergedColumns({ eb, ref }: Conflict) {
  const isLater = eb("excluded.lastAtMs", ">=", ref("sessions.lastAtMs"));
  const isEarlier = eb("excluded.firstAtMs", "<", ref("sessions.firstAtMs"));
  const latest = <Name extends keyof SessionSummary>(name: Name) =>
    eb
      .case()
      .when(isLater)
      .then(ref(`excluded.${name}`))
      .else(ref(`sessions.${name}`))
      .end();
  const sum = (name: "requests" | "errors" | "condensations" | "costUsd" | "savedUsd") =>
    eb(`sessions.${name}`, "+", ref(`excluded.${name}`));
  const first = (name: keyof typeof UNDESCRIBED) =>
    eb
      .case()
      .when(eb(ref(`sessions.${name}`), "=", ""))
      .then(ref(`excluded.${name}`))
      .else(ref(`sessions.${name}`))
      .end();
  return {
    firstAtMs: eb.case().when(isEarlier).then(ref("excluded.firstAtMs")).else(ref("sessions.firstAtMs")).end(),
    lastAtMs: latest("lastAtMs"),
    requests: sum("requests"),
    errors: sum("errors"),
    condensations: sum("condensations"),
    costUsd: sum("costUsd"),
    savedUsd: sum("savedUsd"),
    title: first("title"),
    project: first("project"),
    branch: first("branch"),
    client: first("client"),
    clientVersion: first("clientVersion"),
    parent: latest("parent"),
    keyId: latest("keyId"),
    model: latest("model"),
    upstream: latest("upstream"),
    strategy: latest("strategy"),
    windowTokens: latest("windowTokens"),
    originalTokens: latest("originalTokens"),
    sentTokens: latest("sentTokens"),
  };
}

/** Sums up a batch by session. Sorted: two writers of the same rows in different orders would deadlock. */
export function sessionRows({ requests, condensations, descriptions = [] }: EventBatch): SessionSummary[] {
  const rows = new Map<string, SessionSummary>();
  const add = (row: SessionSummary) => {
    if (row.session === "") return;
    const key = JSON.stringify([row.session, row.tenant]);
    const known = rows.get(key);
    rows.set(key, known === undefined ? row : mergeRows(known, row));
  };
  for (const request of requests) add(sessionOfRequest(request));
  for (const condensation of condensations) add(sessionOfCondensation(condensation));
  for (const description of descriptions) add({ ...UNUSED, ...description });
  return [...rows].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
}

function mergeRows(left: SessionSummary, right: SessionSummary): SessionSummary {
  return {
    ...(right.lastAtMs >= left.lastAtMs ? right : left),
    firstAtMs: Math.min(left.firstAtMs, right.firstAtMs),
    requests: left.requests + right.requests,
    errors: left.errors + right.errors,
    condensations: left.condensations + right.condensations,
    costUsd: left.costUsd + right.costUsd,
    savedUsd: left.savedUsd + right.savedUsd,
    title: left.title || right.title,
    project: left.project || right.project,
    branch: left.branch || right.branch,
    client: left.client || right.client,
    clientVersion: left.clientVersion || right.clientVersion,
  };
}

const UNDESCRIBED: Omit<SessionDescription, "tenant" | "session"> = {
  title: "",
  project: "",
  branch: "",
  client: "",
  clientVersion: "",
};

/** Nothing about a session: it counts as never used. Rows must have the same columns in the same order. */
const UNUSED: SessionSummary = {
  tenant: "",
  session: "",
  parent: "",
  firstAtMs: Number.MAX_SAFE_INTEGER,
  lastAtMs: -1,
  requests: 0,
  errors: 0,
  condensations: 0,
  costUsd: 0,
  savedUsd: 0,
  ...UNDESCRIBED,
  keyId: "",
  model: "",
  upstream: "",
  strategy: "",
  windowTokens: 0,
  originalTokens: 0,
  sentTokens: 0,
};

/** A client's own request costs something, but is not a turn. A session with nothing else counts as never used. */
function sessionOfRequest(event: RequestEvent): SessionSummary {
  const { tenant, session, parent, atMs, costUsd, savedUsd, keyId, model, upstream, strategy } = event;
  const { windowTokens, originalTokens, sentTokens } = event;
  if (event.action === "aside") return { ...UNUSED, tenant, session, parent, costUsd, savedUsd };
  const own = { tenant, session, parent, firstAtMs: atMs, lastAtMs: atMs, costUsd, savedUsd };
  const latest = { keyId, model, upstream, strategy, windowTokens, originalTokens, sentTokens };
  return { ...UNUSED, ...own, ...latest, requests: 1, errors: hasFailed(event) ? 1 : 0 };
}

/** A condensation may be stored before its request; until then its session counts as never used. */
function sessionOfCondensation(event: CondensationEvent): SessionSummary {
  const { tenant, session, costUsd } = event;
  return { ...UNUSED, tenant, session, condensations: hasResult(event) ? 1 : 0, costUsd, savedUsd: -costUsd };
}

/** An hour stays marked once a window was outgrown in it. */
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

/** Counts the sessions in the hours that a span touches, and those that had outgrown a window. */
export async function countSessions(database: Database, { sinceMs, untilMs }: Span) {
  const used = database
    .selectFrom("sessionHours")
    .select(({ fn }) => ["session", "tenant", fn.max("isOverWindow").as("isOverWindow")])
    .where("atMs", ">=", startOfHour(sinceMs))
    .where("atMs", "<", untilMs)
    .groupBy(["session", "tenant"]);
  const { all, keptAlive } = await database
    .selectFrom(used.as("used"))
    .select(({ fn }) => [fn.countAll().as("all"), fn.sum("used.isOverWindow").as("keptAlive")])
    .executeTakeFirstOrThrow();
  return { all: Number(all), keptAlive: Number(keptAlive) };
}

/** One row per session and hour, so that counting reads few rows. Sorted, so that two writers of the same rows do not deadlock. */
export function sessionHours({ requests }: EventBatch): SessionHourRow[] {
  const rows = new Map<string, SessionHourRow>();
  for (const request of requests.filter(({ session }) => session !== "")) {
    const columns = { atMs: startOfHour(request.atMs), session: request.session, tenant: request.tenant };
    const key = JSON.stringify(Object.values(columns));
    const isOver = isOverWindow(request) || rows.get(key)?.isOverWindow === 1;
    rows.set(key, { ...columns, isOverWindow: isOver ? 1 : 0 });
  }
  return [...rows].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
}
