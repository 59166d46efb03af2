import { Kysely } from "kysely";
import { expect, it } from "vitest";
import { POSTGRES_SKIP } from "../testing/postgres-binaries.ts";
import { sharedPostgres } from "../testing/shared-postgres.ts";
import { readAddress } from "./address.ts";
import { postgresDialect } from "./dialect.ts";
import { listed } from "./listed.ts";
import { openPool } from "./pool.ts";

it
  .skipIf(POSTGRES_SKIP !== "")
  .each([[[]], [["one"]], [["a", 'b"', "c'; --", "[]", "{}", "{a,b}", "\\", "1", "null", "NULL", "", "漢字\n"]]])(
  `lists %j as rows${POSTGRES_SKIP}`,
  async (texts) => {
    const { port } = await sharedPostgres();
    const address = readAddress(`postgres://longhaul@127.0.0.1:${port}/postgres`);
    const pool = openPool(address, { maxConnections: 1, statementMs: 10_000 });
    const database = new Kysely<Record<never, never>>({ dialect: postgresDialect(pool) });
    const rows = await database.selectFrom(listed(texts)).select("listed.value").execute();
    expect(rows.map(({ value }) => value)).toEqual(texts);
    await pool.close();
  },
);
