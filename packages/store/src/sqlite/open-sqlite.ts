import { resolve } from "node:path";
import { CamelCasePlugin, Kysely } from "kysely";
import type { Engine } from "../sql/engine.ts";
import { makeStore } from "../sql/make-store.ts";
import { migrate } from "../sql/migrate.ts";
import { MIGRATIONS } from "../sql/migrations/migrations.ts";
import type { Database, Tables } from "../sql/tables.ts";
import { type RevisionsWatch, watchRevisions } from "../sql/watch-revisions.ts";
import type { Store } from "../store.ts";
import { checkContent } from "./check-content.ts";
import type { SqliteConnection } from "./connection.ts";
import { sqliteDialect } from "./dialect.ts";
import { makeInsertRows } from "./insert-rows.ts";
import { isAmong } from "./is-among.ts";
import { IN_MEMORY, type LastingConnection, openLastingConnection, type Replaced } from "./lasting-connection.ts";
import { logAhead } from "./log-ahead.ts";

const DEFAULT_BUSY_TIMEOUT_MS = 2_000;
const DEFAULT_LOOK_EVERY_MS = 1_000;
const CHANGES_PAUSE_MS = 500;

/** Where a file is, and what time it is. */
export interface SqliteOptions {
  /** A file, made with its folder where it is absent and readable by nobody else; `:memory:` keeps nothing. */
  readonly path: string;
  readonly nowMs: () => number;
  /** How long to wait for another process that writes; what else is asked of this store waits with it. @default 2000 */
  readonly busyTimeoutMs?: number;
  /** Told, in words for the operator, when the file was removed or replaced and another one is used from now on. @default nobody */
  readonly onReplaced?: (notice: string) => void;
  /** How long it may take until that is noticed, while anything is asked. @default 1000 */
  readonly lookEveryMs?: number;
}

/**
 * Opens a store in an SQLite file. A file that is damaged or another program's is `store.damaged`, one of a newer Longhaul `store.newer`;
 * neither is written to. Where the file is removed or replaced under the store, the one at the path is used, made where it is absent.
 */
export async function openSqlite(options: SqliteOptions): Promise<Store> {
  const notices: string[] = [];
  let changes: RevisionsWatch | undefined;
  const connection = await connect(options, (notice) => {
    notices.push(notice);
    changes?.startOver();
    options.onReplaced?.(notice);
  });
  try {
    const database = databaseOn(connection, connection.settle);
    changes = await watchRevisions(database, () => CHANGES_PAUSE_MS);
    return storeOn(connection, { database, changes, nowMs: options.nowMs, notices });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function connect(options: SqliteOptions, onReplaced: (notice: string) => void): Promise<LastingConnection> {
  const { nowMs, busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS, lookEveryMs = DEFAULT_LOOK_EVERY_MS } = options;
  const path = options.path === IN_MEMORY ? IN_MEMORY : resolve(options.path);
  return await openLastingConnection({
    path,
    busyTimeoutMs,
    lookEveryMs,
    prepare: (connection) => prepare(connection, path, nowMs),
    onReplaced: (how) => onReplaced(describeReplaced(how, path, nowMs())),
  });
}

/** Checks a database and brings it up to date. */
async function prepare(connection: SqliteConnection, path: string, nowMs: () => number): Promise<void> {
  await checkContent(connection, path);
  await databaseOn(connection)
    .transaction()
    .execute((transaction) => migrate(transaction, { place: path, migrations: MIGRATIONS, nowMs }));
  await logAhead(connection);
  // What is deleted is overwritten: secrets, contents and summaries that somebody took out are gone from the file, too.
  await connection.execute("pragma secure_delete = on", []);
}

function databaseOn(connection: SqliteConnection, settle?: () => Promise<void>): Database {
  return new Kysely<Tables>({ dialect: sqliteDialect(connection, settle), plugins: [new CamelCasePlugin()] });
}

function describeReplaced(how: Replaced, path: string, nowMs: number): string {
  const now = how === "removed" ? "a new one was made" : "the one that is there now is used";
  return `the database ${path} was ${how} while it was in use; ${now} since ${new Date(nowMs).toISOString()}. Settings, keys and figures of before are not in it: restore a copy, or set them again`;
}

interface Opened extends Pick<Engine, "database" | "nowMs"> {
  readonly changes: RevisionsWatch;
  readonly notices: readonly string[];
}

function storeOn(connection: SqliteConnection, { database, nowMs, changes, notices }: Opened): Store {
  return {
    ...makeStore({ database, nowMs, isAmong, insertRows: makeInsertRows() }),
    changes,
    notices: () => notices,
    async close() {
      changes.close();
      await connection.close();
    },
  };
}
