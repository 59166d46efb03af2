import { CamelCasePlugin, Kysely, sql } from "kysely";
import type { Store } from "../contract/store.ts";
import { makeStore } from "../sql/make-store.ts";
import { MIGRATIONS, migrate } from "../sql/migrations/migrate.ts";
import type { Database, Tables } from "../sql/tables.ts";
import { type Address, readAddress } from "./address.ts";
import { notify, openChanges } from "./changes.ts";
import { insertRows, isAmong, postgresDialect } from "./dialect.ts";
import { closeWithTimeout } from "./liveness.ts";
import { type ConnectionPool, openPool } from "./pool.ts";

const DEFAULT_MAX_CONNECTIONS = 10;
const STATEMENT_MS = 30_000;
/** Indexing a large table takes time. */
const MIGRATION_MS = 3_600_000;
/** A number that no other program is likely to lock: "longhaul" in hexadecimal ASCII. */
const MIGRATION_LOCK = "7813585268923004268";

export interface PostgresOptions {
  /** `postgres://user:password@host:port/name`. The database must exist; tables are created. */
  readonly url: string;
  readonly nowMs: () => number;
  /** Maximum connections of this process. @default 10 */
  readonly maxConnections?: number;
}

/** Opens a store that any number of processes can share. A database of a newer Longhaul throws `store.newer` and stays unchanged. */
export async function openPostgres({ url, nowMs, maxConnections }: PostgresOptions): Promise<Store> {
  const address = readAddress(url);
  await runMigrations(address, nowMs);
  const pool = openPool(address, {
    maxConnections: maxConnections ?? DEFAULT_MAX_CONNECTIONS,
    statementMs: STATEMENT_MS,
  });
  const database = databaseOn(pool);
  const changes = await openChanges(database, address);
  const { settle, ...parts } = makeStore({ database, nowMs, isAmong, insertRows, notify });
  return {
    ...parts,
    changes,
    notices: () => [],
    async close() {
      await closeWithTimeout(settle());
      await changes.close();
      await pool.close();
    },
  };
}

/** The lock serializes processes that start at once; it ends with the transaction. */
async function runMigrations(address: Address, nowMs: () => number): Promise<void> {
  const pool = openPool(address, { maxConnections: 1, statementMs: MIGRATION_MS });
  try {
    await databaseOn(pool)
      .transaction()
      .execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.execute(transaction);
        await migrate(transaction, { label: address.label, migrations: MIGRATIONS, nowMs });
      });
  } finally {
    await pool.close();
  }
}

function databaseOn(pool: ConnectionPool): Database {
  return new Kysely<Tables>({ dialect: postgresDialect(pool), plugins: [new CamelCasePlugin()] });
}
