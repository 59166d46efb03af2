import type { Failures, Latencies, LatestTurn, Percentiles, Span } from "../contract/events.ts";
import type { Database } from "./tables.ts";

/** Bounds the work of a query; reading this many rows takes a few dozen milliseconds. */
const MAX_REQUESTS = 10_000;
/** Enough to see that a prompt cache was read before and no longer is. */
const TURNS_PER_SESSION = 4;

export async function readLatestTurns(database: Database, sinceMs: number): Promise<readonly LatestTurn[]> {
  const latest = database
    .selectFrom("requests")
    .select(["atMs", "tenant", "session", "inputTokens", "cacheReadTokens", "cacheWriteTokens", "origin", "id"])
    .where("atMs", ">=", sinceMs)
    .where("session", "!=", "")
    .where("hasFailed", "=", 0)
    .where("action", "=", "generate")
    .orderBy("atMs", "desc")
    .limit(MAX_REQUESTS);
  const numbered = database
    .selectFrom(latest.as("latest"))
    .selectAll()
    .select(({ fn }) =>
      fn
        .agg<number>("row_number")
        .over((over) => over.partitionBy(["session", "tenant"]).orderBy("atMs", "desc").orderBy("id", "desc"))
        .as("place"),
    );
  const rows = await database
    .selectFrom(numbered.as("numbered"))
    .selectAll()
    .where("place", "<=", TURNS_PER_SESSION)
    .orderBy("atMs", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map(({ place: _, id: __, ...turn }) => turn);
}

export async function readFailures(database: Database, { sinceMs, untilMs }: Span): Promise<readonly Failures[]> {
  const rows = await database
    .selectFrom("requests")
    .select(({ fn }) => ["upstream", "errorCode", fn.countAll().as("requests"), fn.max("atMs").as("lastAtMs")])
    .where("atMs", ">=", sinceMs)
    .where("atMs", "<", untilMs)
    .where("hasFailed", "=", 1)
    .groupBy(["upstream", "errorCode"])
    .execute();
  return rows
    .map((row) => ({ ...row, requests: Number(row.requests) }))
    .sort((left, right) => right.requests - left.requests || right.lastAtMs - left.lastAtMs);
}

export async function readLatencies(database: Database, { sinceMs, untilMs }: Span): Promise<Latencies> {
  const rows = await database
    .selectFrom("requests")
    .select(["addedMs", "firstByteMs"])
    .where("atMs", ">=", sinceMs)
    .where("atMs", "<", untilMs)
    .where("action", "=", "generate")
    .orderBy("atMs", "desc")
    .limit(MAX_REQUESTS)
    .execute();
  return {
    requests: rows.length,
    addedMs: percentilesOf(rows.map(({ addedMs }) => addedMs)),
    firstByteMs: percentilesOf(rows.map(({ firstByteMs }) => firstByteMs)),
  };
}

/** Returns values that occur in the list: the smallest that at least this share of the list does not exceed. */
function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
