import { PROJECTION_VERSION } from "@longhaul/condense";
import { LonghaulError } from "@longhaul/conversation";
import type { Expression, SqlBool } from "kysely";
import type { Epoch, EpochSelection, Epochs } from "../store.ts";
import { readProjection } from "./read-projection.ts";
import type { Database, EpochRow } from "./tables.ts";

/** A use is written down once in so long: noting it rewrites the whole row, and a conversation asks for its epochs on every turn. */
const USE_GRAIN_MS = 60_000;

/** What the queries for epochs need. */
export interface EpochsOptions {
  readonly database: Database;
  readonly nowMs: () => number;
  /** Whether a value is one of thousands; every kind of database has its own way to take those as one parameter. */
  readonly isAmong: (value: Expression<string>, values: readonly string[]) => Expression<SqlBool>;
}

/** Epochs in a database. */
export function makeEpochs(options: EpochsOptions): Epochs {
  const { database, nowMs } = options;
  return {
    async find(scope, prefixes) {
      const rows = await findRows(options, scope, prefixes);
      await markUsed(options, scope, rows);
      return rows.flatMap(epochsOf);
    },
    async put(epoch) {
      await putRow(database, rowOf(epoch, nowMs()));
    },
    async remove(scope, prefix) {
      await database.deleteFrom("epochs").where("scope", "=", scope).where("prefix", "=", prefix).execute();
    },
    async clear(which) {
      const { numDeletedRows } = await selected(database, which).executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
    async prune(unusedSinceMs) {
      const { numDeletedRows } = await database
        .deleteFrom("epochs")
        .where(({ eb, or }) =>
          or([eb("usedAtMs", "<", unusedSinceMs - USE_GRAIN_MS), eb("version", "!=", PROJECTION_VERSION)]),
        )
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

function findRows({ database, isAmong }: EpochsOptions, scope: string, prefixes: readonly string[]) {
  return database
    .selectFrom("epochs")
    .selectAll()
    .where("scope", "=", scope)
    .where("version", "=", PROJECTION_VERSION)
    .where(({ ref }) => isAmong(ref("prefix"), prefixes))
    .orderBy("messages", "desc")
    .orderBy("prefix")
    .execute();
}

async function markUsed({ database, nowMs, isAmong }: EpochsOptions, scope: string, rows: readonly EpochRow[]) {
  const usedAtMs = nowMs();
  const due = rows.filter((row) => row.usedAtMs <= usedAtMs - USE_GRAIN_MS).map(({ prefix }) => prefix);
  if (due.length === 0) return;
  const marking = database
    .updateTable("epochs")
    .set({ usedAtMs })
    .where("scope", "=", scope)
    .where(({ ref }) => isAmong(ref("prefix"), due))
    .execute();
  // A full disk or a long lock costs a mark, so that the epoch is forgotten sooner, and not the answer that was read already.
  await marking.catch((error: unknown) => {
    if (!(error instanceof LonghaulError && error.code === "store.unavailable")) throw error;
  });
}

async function putRow(database: Database, row: EpochRow): Promise<void> {
  await database
    .insertInto("epochs")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["scope", "prefix"])
        .doUpdateSet(row)
        .where(({ eb, or }) =>
          or([
            eb("excluded.isStandIn", "=", 0),
            eb("epochs.isStandIn", "=", 1),
            eb("epochs.version", "!=", PROJECTION_VERSION),
          ]),
        ),
    )
    .execute();
}

function selected(database: Database, { tenant, session, scope }: EpochSelection) {
  if (tenant === undefined && session === undefined && scope === undefined) {
    throw new LonghaulError("internal.bug", "epochs are cleared by tenant, session or scope, and none was given");
  }
  return database
    .deleteFrom("epochs")
    .$if(tenant !== undefined, (query) => query.where("tenant", "=", tenant ?? ""))
    .$if(session !== undefined, (query) => query.where("session", "=", session ?? ""))
    .$if(scope !== undefined, (query) => query.where("scope", "=", scope ?? ""));
}

function rowOf({ isStandIn, projection, ...epoch }: Epoch, usedAtMs: number): EpochRow {
  return {
    ...epoch,
    isStandIn: isStandIn ? 1 : 0,
    version: projection.version,
    messages: projection.messages,
    usedAtMs,
    projection: JSON.stringify(projection),
  };
}

/** The epoch of a row, or none where its projection can't be read. */
function epochsOf({ version, messages, usedAtMs, isStandIn, projection: json, ...row }: EpochRow): Epoch[] {
  const projection = readProjection(json);
  return projection === undefined ? [] : [{ ...row, isStandIn: isStandIn === 1, projection }];
}
