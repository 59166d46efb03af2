import { CamelCasePlugin, Kysely, sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import type { Engine } from "../sql/engine.ts";
import { MIGRATIONS, migrate } from "../sql/migrations/migrate.ts";
import type { Tables } from "../sql/tables.ts";
import { describeInsertRows } from "../testing/describe-insert-rows.ts";
import { describeMigrations } from "../testing/describe-migrations.ts";
import { POSTGRES_SKIP } from "../testing/postgres.ts";
import { makePostgresDatabases, sharedPostgres } from "../testing/shared-postgres.ts";
import { readAddress } from "./address.ts";
import { insertRows, isAmong, postgresDialect } from "./dialect.ts";
import { type ConnectionPool, openPool } from "./pool.ts";

interface Words {
  readonly words: { readonly word: string };
}

it("compiles queries for PostgreSQL and sends them over the connections", async () => {
  const sent: string[] = [];
  const connections = {
    begin: "begin",
    acquire: async () => ({
      async execute(sql: string) {
        sent.push(sql);
        return { rows: [] };
      },
      release() {},
    }),
  };
  const database = new Kysely<Words>({ dialect: postgresDialect(connections) });
  await database.transaction().execute(async (transaction) => {
    await transaction.selectFrom("words").select("word").where("word", "=", "a").execute();
  });
  expect(sent).toEqual(["begin", 'select "word" from "words" where "word" = $1', "commit"]);
});

describe("isAmong", () => {
  it
    .skipIf(POSTGRES_SKIP !== "")
    .each([[[]], [["one"]], [["a", 'b"', "c'; --", "[]", "{}", "{a,b}", "\\", "1", "null", "NULL", "", "漢字\n"]]])(
    `is true only for each of %j${POSTGRES_SKIP}`,
    async (texts) => {
      const { port } = await sharedPostgres();
      const address = readAddress(`postgres://longhaul@127.0.0.1:${port}/postgres`);
      const pool = openPool(address, { maxConnections: 1, statementMs: 10_000 });
      const database = new Kysely<Record<never, never>>({ dialect: postgresDialect(pool) });
      for (const text of [...texts, "other", "A"]) {
        const { rows } = await sql<{ found: boolean }>`
        select ${isAmong("value", texts)} as found from (select ${text}::text as value)`.execute(database);
        expect(rows).toEqual([{ found: texts.includes(text) }]);
      }
      await pool.close();
    },
  );
});

describe.skipIf(POSTGRES_SKIP !== "")(`tables on PostgreSQL${POSTGRES_SKIP}`, () => {
  const pools: ConnectionPool[] = [];
  const url = makePostgresDatabases();
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.close();
  });
  const openEmpty = async (): Promise<Engine> => {
    const pool = openPool(readAddress(await url()), { maxConnections: 2, statementMs: 30_000 });
    pools.push(pool);
    const database = new Kysely<Tables>({ dialect: postgresDialect(pool), plugins: [new CamelCasePlugin()] });
    return { database, nowMs: () => 0, isAmong, insertRows };
  };

  describeMigrations("PostgreSQL", openEmpty);

  describeInsertRows("PostgreSQL", async () => {
    const engine = await openEmpty();
    await migrate(engine.database, { label: "PostgreSQL", migrations: MIGRATIONS, nowMs: () => 0 });
    return engine;
  });
});
