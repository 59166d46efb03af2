import type { Store } from "./contract/store.ts";
import type { PostgresOptions } from "./postgres/open-postgres.ts";
import { openSqlite, type SqliteOptions } from "./sqlite/open-sqlite.ts";
import { IN_MEMORY } from "./sqlite/reopening-connection.ts";

/** Options for a SQLite file or a PostgreSQL database. */
export type StoreOptions = SqliteOptions | PostgresOptions;

/** Opens a store: PostgreSQL if `url` is given, else SQLite. */
export async function openStore(options: StoreOptions): Promise<Store> {
  if (!("url" in options)) return openSqlite(options);
  // Loads the driver only if it is needed.
  const { openPostgres } = await import("./postgres/open-postgres.ts");
  return openPostgres(options);
}

interface StoreSettings {
  readonly store: { readonly path?: string | undefined; readonly url?: string | undefined };
}

/** Where a store is: a file, memory, or a PostgreSQL database. */
export type StoreLocation = { readonly path: string } | { readonly url: string };

/** Returns the location of a configuration's store. PostgreSQL overrides a file; without either, the store is in memory. */
export function storeLocation({ store }: StoreSettings): StoreLocation {
  const { url, path = IN_MEMORY } = store;
  return url === undefined ? { path } : { url };
}

/** Returns whether a store is lost with the process and invisible to other processes. */
export function isInMemory(location: StoreLocation): boolean {
  return "path" in location && location.path === IN_MEMORY;
}

/** Returns a store's location for people, without its password. */
export function describeStore(location: StoreLocation): string {
  if ("url" in location) return `PostgreSQL at ${new URL(location.url).host}`;
  return isInMemory(location) ? "in memory, lost on restart" : location.path;
}
