import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { LonghaulError } from "@longhaul/conversation";
import { CamelCasePlugin, Kysely } from "kysely";
import { type RevisionsWatch, watchRevisions } from "../sql/coordination.ts";
import type { Engine } from "../sql/engine.ts";
import { makeStore } from "../sql/make-store.ts";
import { MIGRATIONS, migrate } from "../sql/migrations/migrate.ts";
import type { Database, Tables } from "../sql/tables.ts";
import type { Store } from "../store.ts";
import { damagedError, type SqliteConnection } from "./connection.ts";
import { isAmong, makeInsertRows, sqliteDialect } from "./dialect.ts";
import {
  type FileChange,
  IN_MEMORY,
  openReopeningConnection,
  type ReopeningConnection,
} from "./reopening-connection.ts";

const DEFAULT_BUSY_TIMEOUT_MS = 2_000;
const DEFAULT_CHECK_INTERVAL_MS = 1_000;
const CHANGES_POLL_MS = 500;

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
  readonly checkIntervalMs?: number;
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
    changes?.reset();
    options.onReplaced?.(notice);
  });
  try {
    const database = databaseOn(connection, connection.reopenIfReplaced);
    changes = await watchRevisions(database, () => CHANGES_POLL_MS);
    return storeOn(connection, { database, changes, nowMs: options.nowMs, notices });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function connect(options: SqliteOptions, onReplaced: (notice: string) => void): Promise<ReopeningConnection> {
  const { nowMs, busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS, checkIntervalMs = DEFAULT_CHECK_INTERVAL_MS } = options;
  const path = options.path === IN_MEMORY ? IN_MEMORY : resolve(options.path);
  return await openReopeningConnection({
    path,
    busyTimeoutMs,
    checkIntervalMs,
    prepare: (connection) => prepare(connection, path, nowMs),
    onReplaced: (change) => onReplaced(describeFileChange(change, path, nowMs())),
  });
}

/** Checks a database and brings it up to date. */
async function prepare(connection: SqliteConnection, path: string, nowMs: () => number): Promise<void> {
  await checkContent(connection, path);
  await databaseOn(connection)
    .transaction()
    .execute((transaction) => migrate(transaction, { label: path, migrations: MIGRATIONS, nowMs }));
  await enableWal(connection);
  // What is deleted is overwritten: secrets, contents and summaries that somebody took out are gone from the file, too.
  await connection.execute("pragma secure_delete = on", []);
}

function databaseOn(connection: SqliteConnection, settle?: () => Promise<void>): Database {
  return new Kysely<Tables>({ dialect: sqliteDialect(connection, settle), plugins: [new CamelCasePlugin()] });
}

function describeFileChange(change: FileChange, path: string, nowMs: number): string {
  const now = change === "removed" ? "a new one was made" : "the one that is there now is used";
  return `the database ${path} was ${change} while it was in use; ${now} since ${new Date(nowMs).toISOString()}. Settings, keys and figures of before are not in it: restore a copy, or set them again`;
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

/** Refuses a database that is damaged or that another program made, before anything is written to it. */
export async function checkContent(connection: SqliteConnection, path: string): Promise<void> {
  const [verdict] = await firstColumn(connection, "pragma quick_check(1)");
  if (verdict !== "ok") throw damagedError(path, `its check says "${verdict}"`);
  const tables = await firstColumn(connection, "select name from sqlite_schema where type = 'table'");
  if (tables.length > 0 && !tables.includes("longhaul_migrations")) {
    throw new LonghaulError(
      "store.damaged",
      `the database ${path} has tables of another program; nothing was written to it. Name another file for Longhaul`,
    );
  }
}

/** The first column. */
async function firstColumn(connection: SqliteConnection, sql: string): Promise<unknown[]> {
  const { rows }: { rows: object[] } = await connection.execute(sql, []);
  return rows.map((row) => Object.values(row)[0]);
}

const MAX_ATTEMPTS = 50;
const PAUSE_MS = 20;

/**
 * Turns on the write-ahead log. Readers and a writer don't wait for each other then, and what was written survives the end of the process,
 * however it ends. A power cut may take the last writes with it and nothing else; to wait for the disk at every write takes three times as
 * long.
 */
export async function enableWal(connection: SqliteConnection): Promise<void> {
  // Those that open a new file at one moment stand in each other's way, and SQLite doesn't wait where all would wait for each other.
  for (let attempt = 1; !(await tryEnableWal(connection, attempt)); attempt++) await wait(PAUSE_MS);
  await connection.execute("pragma synchronous = normal", []);
}

async function tryEnableWal(connection: SqliteConnection, attempt: number): Promise<boolean> {
  try {
    await connection.execute("pragma journal_mode = wal", []);
    return true;
  } catch (error) {
    if (attempt < MAX_ATTEMPTS && error instanceof LonghaulError && error.retryable) return false;
    throw error;
  }
}
