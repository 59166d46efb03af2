import { CamelCasePlugin, Kysely } from "kysely";
import { afterEach, describe } from "vitest";
import { migrate } from "../sql/migrate.ts";
import { MIGRATIONS } from "../sql/migrations/migrations.ts";
import type { Tables } from "../sql/tables.ts";
import { describeInsertRows } from "../testing/describe-insert-rows.ts";
import { makeEngine } from "../testing/open-database.ts";
import { POSTGRES_SKIP } from "../testing/postgres-binaries.ts";
import { makePostgresDatabases } from "../testing/postgres-databases.ts";
import { readAddress } from "./address.ts";
import { postgresDialect } from "./dialect.ts";
import { insertRows } from "./insert-rows.ts";
import { type ConnectionPool, openPool } from "./pool.ts";

describe.skipIf(POSTGRES_SKIP !== "")(`insertRows${POSTGRES_SKIP}`, () => {
  const pools: ConnectionPool[] = [];
  const url = makePostgresDatabases();
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.close();
  });

  describeInsertRows("PostgreSQL", async () => {
    const pool = openPool(readAddress(await url()), { maxConnections: 2, statementMs: 30_000 });
    pools.push(pool);
    const database = new Kysely<Tables>({ dialect: postgresDialect(pool), plugins: [new CamelCasePlugin()] });
    await migrate(database, { place: "PostgreSQL", migrations: MIGRATIONS, nowMs: () => 0 });
    return makeEngine(database, { insertRows });
  });
});
