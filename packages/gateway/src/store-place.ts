import type { Config } from "@longhaul/settings";

/** Where a store is: a file, memory alone, or a PostgreSQL. */
export type StorePlace = { readonly path: string } | { readonly url: string };

/** Where the store of a configuration is. A PostgreSQL goes before a file, and where nobody names one, nothing outlives the process. */
export function storePlace({ store: { url, path = ":memory:" } }: Pick<Config, "store">): StorePlace {
  return url === undefined ? { path } : { url };
}

/** A store's place for people, without its password. */
export function describePlace(place: StorePlace): string {
  if ("url" in place) return `PostgreSQL at ${new URL(place.url).host}`;
  return place.path === ":memory:" ? "in memory; nothing outlives a restart" : place.path;
}
