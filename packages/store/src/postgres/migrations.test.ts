import { CamelCasePlugin, Kysely } from "kysely";
import { afterEach, describe } from "vitest";
import type { Tables } from "../sql/tables.ts";
import { describeMigrations } from "../testing/describe-migrations.ts";
import { POSTGRES_SKIP } from "../testing/postgres-binaries.ts";
import { makePostgresDatabases } from "../testing/shared-postgres.ts";
import { readAddress } from "./address.ts";
import { insertRows, isAmong, postgresDialect } from "./dialect.ts";
import { type ConnectionPool, openPool } from "./pool.ts";

describe.skipIf(POSTGRES_SKIP !== "")(`tables${POSTGRES_SKIP}`, () => {
  const pools: ConnectionPool[] = [];
  const url = makePostgresDatabases();
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.close();
  });

  describeMigrations("PostgreSQL", async () => {
    const pool = openPool(readAddress(await url()), { maxConnections: 2, statementMs: 30_000 });
    pools.push(pool);
    const database = new Kysely<Tables>({ dialect: postgresDialect(pool), plugins: [new CamelCasePlugin()] });
    return { database, nowMs: () => 0, isAmong, insertRows };
  });
});
