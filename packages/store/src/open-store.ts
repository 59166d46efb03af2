import type { PostgresOptions } from "./postgres/open-postgres.ts";
import { openSqlite, type SqliteOptions } from "./sqlite/open-sqlite.ts";
import type { Store } from "./store.ts";

/** A file, or a PostgreSQL. */
export type StoreOptions = SqliteOptions | PostgresOptions;

/** Opens a store where its options say that it is. */
export async function openStore(options: StoreOptions): Promise<Store> {
  if (!("url" in options)) return openSqlite(options);
  // Who has no PostgreSQL does not wait for its driver.
  const { openPostgres } = await import("./postgres/open-postgres.ts");
  return openPostgres(options);
}
