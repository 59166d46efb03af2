import type { ExpressionBuilder, OnConflictDatabase, OnConflictTables, Transaction } from "kysely";
import type { EventBatch, SessionQuery, SessionSummary } from "../contract/events.ts";
import { inChunks } from "./in-chunks.ts";
import { sessionRows } from "./session-rows.ts";
import type { Database, Tables } from "./tables.ts";

/** Adds events to what is known of their sessions; those of none are left out. */
export async function addSessions(transaction: Transaction<Tables>, batch: EventBatch): Promise<void> {
  for (const chunk of inChunks(sessionRows(batch))) {
    await transaction
      .insertInto("sessions")
      .values(chunk)
      .onConflict((conflict) => conflict.columns(["session", "tenant"]).doUpdateSet(joined))
      .execute();
  }
}

/** The latest used sessions. */
export async function readSessions(database: Database, query: SessionQuery): Promise<readonly SessionSummary[]> {
  const { limit, tenant, beforeMs } = query;
  let sessions = database
    .selectFrom("sessions")
    .selectAll()
    .where("lastAtMs", ">=", 0)
    .orderBy("lastAtMs", "desc")
    .limit(limit);
  if (tenant !== undefined) sessions = sessions.where("tenant", "=", tenant);
  if (beforeMs !== undefined) sessions = sessions.where("lastAtMs", "<", beforeMs);
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
    model: latest("model"),
    upstream: latest("upstream"),
    strategy: latest("strategy"),
    windowTokens: latest("windowTokens"),
    originalTokens: latest("originalTokens"),
    sentTokens: latest("sentTokens"),
  };
}
