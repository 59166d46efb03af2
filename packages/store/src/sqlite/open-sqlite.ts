import { CamelCasePlugin, Kysely } from "kysely";
import { makeStore } from "../sql/make-store.ts";
import { migrate } from "../sql/migrate.ts";
import { MIGRATIONS } from "../sql/migrations/migrations.ts";
import type { Tables } from "../sql/tables.ts";
import { watchRevisions } from "../sql/watch-revisions.ts";
import type { Store } from "../store.ts";
import { checkContent } from "./check-content.ts";
import { openConnection, type SqliteConnection } from "./connection.ts";
import { makeDatabaseFile } from "./database-file.ts";
import { sqliteDialect } from "./dialect.ts";
import { makeInsertRows } from "./insert-rows.ts";
import { isAmong } from "./is-among.ts";
import { logAhead } from "./log-ahead.ts";

const DEFAULT_BUSY_TIMEOUT_MS = 2_000;
const CHANGES_PAUSE_MS = 500;

/** Where a file is, and what time it is. */
export interface SqliteOptions {
  /** A file, made with its folder where it is absent and readable by nobody else; `:memory:` keeps nothing. */
  readonly path: string;
  readonly nowMs: () => number;
  /** How long to wait for another process that writes; what else is asked of this store waits with it. @default 2000 */
  readonly busyTimeoutMs?: number;
}

/**
 * Opens a store in an SQLite file. A file that is damaged or another program's is `store.damaged`, one of a newer Longhaul `store.newer`;
 * neither is written to.
 */
export async function openSqlite(options: SqliteOptions): Promise<Store> {
  const { nowMs, busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS } = options;
  const path = options.path === ":memory:" ? options.path : makeDatabaseFile(options.path);
  const connection = await openConnection({ path, busyTimeoutMs });
  try {
    return await openOn(connection, path, nowMs);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function openOn(connection: SqliteConnection, path: string, nowMs: () => number): Promise<Store> {
  await checkContent(connection, path);
  const database = new Kysely<Tables>({ dialect: sqliteDialect(connection), plugins: [new CamelCasePlugin()] });
  await database
    .transaction()
    .execute((transaction) => migrate(transaction, { place: path, migrations: MIGRATIONS, nowMs }));
  await logAhead(connection);
  // What is deleted is overwritten: secrets, contents and summaries that somebody took out are gone from the file, too.
  await connection.execute("pragma secure_delete = on", []);
  const changes = await watchRevisions(database, () => CHANGES_PAUSE_MS);
  return {
    ...makeStore({ database, nowMs, isAmong, insertRows: makeInsertRows() }),
    changes,
    async close() {
      changes.close();
      await connection.close();
    },
  };
}
