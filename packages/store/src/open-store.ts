import type { PostgresOptions } from "./postgres/open-postgres.ts";
import { openSqlite, type SqliteOptions } from "./sqlite/open-sqlite.ts";
import type { Store } from "./store.ts";

/** Options for a SQLite file or a PostgreSQL database. */
export type StoreOptions = SqliteOptions | PostgresOptions;

/** Opens a store: PostgreSQL if `url` is given, else SQLite. */
export async function openStore(options: StoreOptions): Promise<Store> {
  if (!("url" in options)) return openSqlite(options);
  // Loads the driver only if it is needed.
  const { openPostgres } = await import("./postgres/open-postgres.ts");
  return openPostgres(options);
}
