import { DatabaseSync } from "node:sqlite";
import { CamelCasePlugin, Kysely } from "kysely";
import { makeStore } from "../sql/make-store.ts";
import { migrate } from "../sql/migrate.ts";
import { MIGRATIONS } from "../sql/migrations/migrations.ts";
import type { Tables } from "../sql/tables.ts";
import { watchRevisions } from "../sql/watch-revisions.ts";
import type { Store } from "../store.ts";
import { checkContent } from "./check-content.ts";
import { makeDatabaseFile } from "./database-file.ts";
import { NodeSqliteDialect } from "./dialect.ts";
import { listed } from "./listed.ts";
import { logAhead } from "./log-ahead.ts";
import { inOurWords } from "./sqlite-error.ts";

const DEFAULT_BUSY_TIMEOUT_MS = 2_000;
const CHANGES_PAUSE_MS = 500;

/** Where a store is, and what time it is. */
export interface StoreOptions {
  /** A file, made with its folder where it is absent and readable by nobody else; `:memory:` keeps nothing. */
  readonly path: string;
  readonly nowMs: () => number;
  /** How long to wait for another process that writes; everything else in this process waits with it. @default 2000 */
  readonly busyTimeoutMs?: number;
}

/**
 * Opens a store in an SQLite file. A file that is damaged or another program's is `store.damaged`, one of a newer Longhaul `store.newer`;
 * neither is written to.
 */
export async function openStore({ path, nowMs, busyTimeoutMs }: StoreOptions): Promise<Store> {
  const place = path === ":memory:" ? path : makeDatabaseFile(path);
  const timeout = busyTimeoutMs ?? DEFAULT_BUSY_TIMEOUT_MS;
  const connection = inOurWords(place, () => new DatabaseSync(place, { timeout, enableForeignKeyConstraints: true }));
  try {
    inOurWords(place, () => checkContent(connection, place));
    const database = new Kysely<Tables>({
      dialect: new NodeSqliteDialect(connection, place),
      plugins: [new CamelCasePlugin()],
    });
    await database
      .transaction()
      .execute((transaction) => migrate(transaction, { place, migrations: MIGRATIONS, nowMs }));
    await logAhead(connection, place);
    const changes = await watchRevisions(database, () => CHANGES_PAUSE_MS);
    return {
      ...makeStore({ database, nowMs, listed }),
      changes,
      async close() {
        changes.close();
        close(connection);
      },
    };
  } catch (error) {
    close(connection);
    throw error;
  }
}

function close(connection: DatabaseSync): void {
  if (connection.isOpen) connection.close();
}
