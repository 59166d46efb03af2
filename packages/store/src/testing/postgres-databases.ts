import { afterEach } from "vitest";
import { sharedPostgres } from "./shared-postgres.ts";

/** Addresses of databases that are dropped after each test; the same name is the same database until then. */
export function makePostgresDatabases(): (name?: string) => Promise<string> {
  const databases = new Map<string, Promise<string>>();
  afterEach(async () => {
    if (databases.size === 0) return;
    const server = await sharedPostgres();
    for (const url of databases.values()) await server.dropDatabase(await url);
    databases.clear();
  });
  return (name = "") => {
    const known = databases.get(name) ?? sharedPostgres().then((server) => server.createDatabase());
    databases.set(name, known);
    return known;
  };
}
