import { Kysely, sql } from "kysely";
import { expect, it } from "vitest";
import { POSTGRES_SKIP } from "../testing/postgres-binaries.ts";
import { sharedPostgres } from "../testing/shared-postgres.ts";
import { readAddress } from "./address.ts";
import { postgresDialect } from "./dialect.ts";
import { openPool } from "./pool.ts";
import { selectRows } from "./select-rows.ts";

const SHAPE = { atMs: "number", text: "text" } as const;

it
  .skipIf(POSTGRES_SKIP !== "")
  .each([
    [[]],
    [[{ text: "one", atMs: 1 }]],
    [["", 'b"', "c'; --", "[]", "{}", "\\", "1", "null", "漢字\n"].map((text, index) => ({ text, atMs: index / 3 }))],
  ])(`inserts %j as rows${POSTGRES_SKIP}`, async (rows) => {
  const { port } = await sharedPostgres();
  const pool = openPool(readAddress(`postgres://longhaul@127.0.0.1:${port}/postgres`), {
    maxConnections: 1,
    statementMs: 10_000,
  });
  const database = new Kysely<Record<never, never>>({ dialect: postgresDialect(pool) });
  await sql`create temporary table given_rows (number double precision, word text primary key)`.execute(database);
  const insert = sql`insert into given_rows ${selectRows(rows, SHAPE)} on conflict do nothing`;
  await insert.execute(database);
  await insert.execute(database);
  const found = await sql<{
    number: number;
    word: string;
  }>`select number, word from given_rows order by number`.execute(database);
  expect(found.rows.map(({ number, word }) => ({ text: word, atMs: number }))).toEqual(rows);
  await pool.close();
});
