import type { Config } from "@longhaul/settings";

/** Where a store is: a file, memory alone, or a PostgreSQL. */
export type StorePlace = { readonly path: string } | { readonly url: string };

const IN_MEMORY = ":memory:";

/** Where the store of a configuration is. A PostgreSQL goes before a file, and where nobody names one, nothing outlives the process. */
export function storePlace({ store }: { readonly store: Pick<Config["store"], "url" | "path"> }): StorePlace {
  const { url, path = IN_MEMORY } = store;
  return url === undefined ? { path } : { url };
}

/** Whether nothing outlives the process, and nobody else sees it. */
export function isInMemory(place: StorePlace): boolean {
  return "path" in place && place.path === IN_MEMORY;
}

/** A store's place for people, without its password. */
export function describePlace(place: StorePlace): string {
  if ("url" in place) return `PostgreSQL at ${new URL(place.url).host}`;
  return isInMemory(place) ? "in memory; nothing outlives a restart" : place.path;
}
