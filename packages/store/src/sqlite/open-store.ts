import { DatabaseSync } from "node:sqlite";
import { CamelCasePlugin, type Expression, Kysely, type SqlBool, sql } from "kysely";
import { makeCalibrations } from "../sql/calibrations.ts";
import { makeEpochs } from "../sql/epochs.ts";
import { migrate } from "../sql/migrate.ts";
import { MIGRATIONS } from "../sql/migrations/migrations.ts";
import type { Tables } from "../sql/tables.ts";
import { makeWindows } from "../sql/windows.ts";
import type { Store } from "../store.ts";
import { checkContent } from "./check-content.ts";
import { makeDatabaseFile } from "./database-file.ts";
import { NodeSqliteDialect } from "./dialect.ts";
import { inOurWords } from "./sqlite-error.ts";

/** How long to wait for another process that writes. Node waits with it, so it is no longer than a stream may pause. */
const BUSY_TIMEOUT_MS = 2_000;

/** Where a store is, and what time it is. */
export interface StoreOptions {
  /** A file, made with its folder where it is absent and readable by nobody else; `:memory:` keeps nothing. */
  readonly path: string;
  readonly nowMs: () => number;
}

/**
 * Opens a store in an SQLite file. A file that is damaged or another program's is `store.damaged`, one of a newer Longhaul `store.newer`;
 * neither is written to.
 */
export async function openStore({ path, nowMs }: StoreOptions): Promise<Store> {
  const place = path === ":memory:" ? path : makeDatabaseFile(path);
  const connection = inOurWords(
    place,
    () => new DatabaseSync(place, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true }),
  );
  try {
    inOurWords(place, () => checkContent(connection, place));
    const database = new Kysely<Tables>({
      dialect: new NodeSqliteDialect(connection, place),
      plugins: [new CamelCasePlugin()],
    });
    await database
      .transaction()
      .execute((transaction) => migrate(transaction, { place, migrations: MIGRATIONS, nowMs }));
    inOurWords(place, () => logAhead(connection));
    return {
      epochs: makeEpochs({ database, nowMs, isAmong }),
      windows: makeWindows(database),
      calibrations: makeCalibrations(database),
      close: async () => close(connection),
    };
  } catch (error) {
    close(connection);
    throw error;
  }
}

/**
 * Readers and a writer don't wait for each other, and what was written survives the end of the process, however it ends. A power cut may
 * take the last writes with it and nothing else; to wait for the disk at every write takes three times as long.
 */
function logAhead(connection: DatabaseSync): void {
  connection.exec("pragma journal_mode = wal");
  connection.exec("pragma synchronous = normal");
}

function isAmong(value: Expression<string>, values: readonly string[]): Expression<SqlBool> {
  return sql<SqlBool>`${value} in (select value from json_each(${JSON.stringify(values)}))`;
}

function close(connection: DatabaseSync): void {
  if (connection.isOpen) connection.close();
}
