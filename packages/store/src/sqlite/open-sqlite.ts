import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { LonghaulError } from "@longhaul/conversation";
import { CamelCasePlugin, Kysely } from "kysely";
import type { Store } from "../contract/store.ts";
import { type RevisionsWatch, watchRevisions } from "../sql/coordination.ts";
import type { Engine } from "../sql/engine.ts";
import { makeStore } from "../sql/make-store.ts";
import { MIGRATIONS, migrate } from "../sql/migrations/migrate.ts";
import type { Database, Tables } from "../sql/tables.ts";
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

export interface SqliteOptions {
  /** A file, created with its folder if absent and readable only by its owner; `:memory:` stores nothing. */
  readonly path: string;
  readonly nowMs: () => number;
  /** How long to wait for another process that writes; later calls to this store wait too. @default 2000 */
  readonly busyTimeoutMs?: number;
  /** Called with a message for the operator when the file was removed or replaced and another one is used. @default none */
  readonly onReplaced?: (notice: string) => void;
  /** How often to check for that, while the store is in use. @default 1000 */
  readonly checkIntervalMs?: number;
}

/**
 * Opens a store in a SQLite file. A damaged file or another program's throws `store.damaged`, one of a newer Longhaul `store.newer`;
 * neither is changed. If the file is removed or replaced while open, the store switches to the file at the path and creates it if absent.
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

async function prepare(connection: SqliteConnection, path: string, nowMs: () => number): Promise<void> {
  await checkContent(connection, path);
  await databaseOn(connection)
    .transaction()
    .execute((transaction) => migrate(transaction, { label: path, migrations: MIGRATIONS, nowMs }));
  await enableWal(connection);
  // Overwrites deleted data, so that removed secrets, contents and summaries are gone from the file.
  await connection.execute("pragma secure_delete = on", []);
}

function databaseOn(connection: SqliteConnection, settle?: () => Promise<void>): Database {
  return new Kysely<Tables>({ dialect: sqliteDialect(connection, settle), plugins: [new CamelCasePlugin()] });
}

function describeFileChange(change: FileChange, path: string, nowMs: number): string {
  const now = change === "removed" ? "a new one was created" : "the file now at this path is used";
  return `the database ${path} was ${change} while in use; ${now} since ${new Date(nowMs).toISOString()}. It does not contain the previous settings, keys and statistics: restore a backup, or set them again`;
}

interface Opened extends Pick<Engine, "database" | "nowMs"> {
  readonly changes: RevisionsWatch;
  readonly notices: readonly string[];
}

function storeOn(connection: SqliteConnection, { database, nowMs, changes, notices }: Opened): Store {
  const { settle, ...parts } = makeStore({ database, nowMs, isAmong, insertRows: makeInsertRows() });
  return {
    ...parts,
    changes,
    notices: () => notices,
    async close() {
      changes.close();
      await settle();
      await connection.close();
    },
  };
}

/** Rejects a database that is damaged or made by another program, before anything is written to it. */
export async function checkContent(connection: SqliteConnection, path: string): Promise<void> {
  const [verdict] = await firstColumn(connection, "pragma quick_check(1)");
  if (verdict !== "ok") throw damagedError(path, `its integrity check reports "${verdict}"`);
  const tables = await firstColumn(connection, "select name from sqlite_schema where type = 'table'");
  if (tables.length > 0 && !tables.includes("longhaul_migrations")) {
    throw new LonghaulError(
      "store.damaged",
      `the database ${path} has another program's tables; nothing was written to it. Use another file for Longhaul`,
    );
  }
}

async function firstColumn(connection: SqliteConnection, sql: string): Promise<unknown[]> {
  const { rows }: { rows: object[] } = await connection.execute(sql, []);
  return rows.map((row) => Object.values(row)[0]);
}

const MAX_ATTEMPTS = 50;
const PAUSE_MS = 20;

/**
 * Turns on the write-ahead log: readers and the writer do not block each other, and committed writes survive a crash of the process. A
 * power cut can lose the last writes; waiting for the disk on every write takes three times as long.
 */
export async function enableWal(connection: SqliteConnection): Promise<void> {
  // Processes that open a new file at once block each other, and SQLite does not wait if that would be a deadlock.
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
