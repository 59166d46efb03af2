import { openPostgres, type PostgresOptions } from "./postgres/open-postgres.ts";
import { openSqlite, type SqliteOptions } from "./sqlite/open-sqlite.ts";
import type { Store } from "./store.ts";

/** A file, or a PostgreSQL. */
export type StoreOptions = SqliteOptions | PostgresOptions;

/** Opens a store where its options say that it is. */
export function openStore(options: StoreOptions): Promise<Store> {
  return "url" in options ? openPostgres(options) : openSqlite(options);
}
