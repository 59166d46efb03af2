import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { SessionPosition, SessionQuery, SessionSummary, SessionValues } from "../contract/events.ts";
import type { Database, Tables } from "./tables.ts";

export async function readSessions(database: Database, query: SessionQuery): Promise<readonly SessionSummary[]> {
  const { limit, sort = "lastAtMs" } = query;
  let sessions = database
    .selectFrom("sessions")
    .selectAll()
    .where("lastAtMs", ">=", query.sinceMs ?? 0)
    .where((builder) => builder.and([...filters(builder, query), ...position(builder, query)]))
    .limit(limit);
  if (sort !== "lastAtMs") sessions = sessions.orderBy(sort, sort === "project" ? "asc" : "desc");
  sessions = sessions.orderBy("lastAtMs", "desc").orderBy("session", "desc").orderBy("tenant", "desc");
  return (await sessions.execute()).map((row) => ({ ...row }));
}

export async function readSession(database: Database, tenant: string, session: string) {
  const row = await database
    .selectFrom("sessions")
    .selectAll()
    .where("session", "=", session)
    .where("tenant", "=", tenant)
    .where("lastAtMs", ">=", 0)
    .executeTakeFirst();
  return row && { ...row };
}

type Builder = ExpressionBuilder<Tables, "sessions">;

const EQUAL = ["tenant", "client", "project", "model", "keyId", "upstream"] as const;

function filters(builder: Builder, query: SessionQuery): Expression<SqlBool>[] {
  const { names, parent, parents, text = "", isCondensed, hasFailed, untilMs } = query;
  const conditions: Expression<SqlBool>[] = EQUAL.flatMap((column) => {
    const value = query[column];
    return value === undefined ? [] : [builder(column, "=", value)];
  });
  if (parent === "") conditions.push(isMain(builder));
  else if (parent !== undefined) conditions.push(builder("parent", "=", parent));
  if (names !== undefined) conditions.push(builder("session", "in", [...names]));
  if (parents !== undefined) conditions.push(builder("parent", "in", [...parents]));
  for (const word of text.toLowerCase().split(/\s+/).filter(Boolean)) conditions.push(hasWord(builder, word));
  if (isCondensed !== undefined) conditions.push(builder("condensations", isCondensed ? ">" : "=", 0));
  if (hasFailed !== undefined) conditions.push(builder("errors", hasFailed ? ">" : "=", 0));
  if (untilMs !== undefined) conditions.push(builder("firstAtMs", "<", untilMs));
  return conditions;
}

/** A sub-agent whose parent is not stored is listed like a main thread, because nothing else leads to it. */
function isMain(builder: Builder): Expression<SqlBool> {
  const parents = builder
    .selectFrom("sessions as parents")
    .select("parents.session")
    .whereRef("parents.session", "=", "sessions.parent")
    .whereRef("parents.tenant", "=", "sessions.tenant")
    .where("parents.lastAtMs", ">=", 0);
  return builder.or([builder("parent", "=", ""), builder.not(builder.exists(parents))]);
}

const SEARCHED = ["title", "project", "branch", "session"] as const;

function hasWord(builder: Builder, word: string): Expression<SqlBool> {
  const pattern = `%${word.replace(/[\\%_]/g, "\\$&")}%`;
  return builder.or(SEARCHED.map((column) => sql<SqlBool>`lower(${builder.ref(column)}) like ${pattern} escape '\\'`));
}

/** Whether a session comes after the last one seen. */
function position(builder: Builder, { before, sort = "lastAtMs" }: SessionQuery): Expression<SqlBool>[] {
  if (before === undefined) return [];
  const later = isUsedEarlier(builder, before);
  const { value } = before;
  if (sort === "lastAtMs" || value === undefined) return [later];
  const isBeyond = builder(sort, sort === "project" ? ">" : "<", value);
  return [builder.or([isBeyond, builder.and([builder(sort, "=", value), later])])];
}

function isUsedEarlier({ eb, refTuple, tuple }: Builder, before: SessionPosition): Expression<SqlBool> {
  return eb(refTuple("lastAtMs", "session", "tenant"), "<", tuple(before.lastAtMs, before.session, before.tenant));
}

const MAX_VALUES = 300;

/** Returns the distinct values of columns that a list can be filtered by. */
export async function readSessionValues(database: Database): Promise<SessionValues> {
  const values = async (column: "client" | "project" | "model" | "keyId") => {
    const rows = await database
      .selectFrom("sessions")
      .select(column)
      .distinct()
      .where(column, "!=", "")
      .orderBy(column)
      .limit(MAX_VALUES)
      .execute();
    return rows.flatMap((row) => Object.values(row));
  };
  return {
    clients: await values("client"),
    projects: await values("project"),
    models: await values("model"),
    keyIds: await values("keyId"),
  };
}
