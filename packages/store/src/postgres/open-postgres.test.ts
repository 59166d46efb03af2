import { afterEach, describe } from "vitest";
import { describeStore } from "../testing/describe-store.ts";
import { POSTGRES_SKIP } from "../testing/postgres-binaries.ts";
import { sharedPostgres } from "../testing/shared-postgres.ts";
import { openPostgres } from "./open-postgres.ts";

describe.skipIf(POSTGRES_SKIP !== "")(`PostgreSQL${POSTGRES_SKIP}`, () => {
  const databases = new Map<string, Promise<string>>();
  afterEach(async () => {
    const server = await sharedPostgres();
    for (const url of databases.values()) await server.dropDatabase(await url);
    databases.clear();
  });

  describeStore("PostgreSQL", async (name, nowMs) => {
    const server = await sharedPostgres();
    const url = databases.get(name) ?? server.createDatabase();
    databases.set(name, url);
    return await openPostgres({ url: await url, nowMs });
  });
});
