import type { ExpressionBuilder, OnConflictDatabase, OnConflictTables } from "kysely";
import type { SessionQuery, SessionSummary } from "../contract/events.ts";
import type { Insertion } from "./engine.ts";
import type { Database, Tables } from "./tables.ts";

/** Adds to what is known of sessions. */
export const INTO_SESSIONS: Insertion<"sessions", unknown> = {
  table: "sessions",
  finish: (insert) => insert.onConflict((conflict) => conflict.columns(["session", "tenant"]).doUpdateSet(joined)),
};

/** The latest used sessions. */
export async function readSessions(database: Database, query: SessionQuery): Promise<readonly SessionSummary[]> {
  const { limit, tenant, parent, before } = query;
  let sessions = database
    .selectFrom("sessions")
    .selectAll()
    .where("lastAtMs", ">=", 0)
    .orderBy("lastAtMs", "desc")
    .orderBy("session", "desc")
    .orderBy("tenant", "desc")
    .limit(limit);
  if (tenant !== undefined) sessions = sessions.where("tenant", "=", tenant);
  if (parent !== undefined) sessions = sessions.where("parent", "=", parent);
  if (before !== undefined) {
    sessions = sessions.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("lastAtMs", "session", "tenant"), "<", tuple(before.lastAtMs, before.session, before.tenant)),
    );
  }
  const rows = await sessions.execute();
  return rows.map((row) => ({ ...row }));
}

type Conflict = ExpressionBuilder<OnConflictDatabase<Tables, "sessions">, OnConflictTables<"sessions">>;

/** A session with what a batch adds to it. */
function joined({ eb, ref }: Conflict) {
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
  return {
    firstAtMs: eb.case().when(isEarlier).then(ref("excluded.firstAtMs")).else(ref("sessions.firstAtMs")).end(),
    lastAtMs: latest("lastAtMs"),
    requests: sum("requests"),
    errors: sum("errors"),
    condensations: sum("condensations"),
    costUsd: sum("costUsd"),
    savedUsd: sum("savedUsd"),
    parent: latest("parent"),
    model: latest("model"),
    upstream: latest("upstream"),
    strategy: latest("strategy"),
    windowTokens: latest("windowTokens"),
    originalTokens: latest("originalTokens"),
    sentTokens: latest("sentTokens"),
  };
}
