import { Kysely, sql } from "kysely";
import { expect, it } from "vitest";
import { POSTGRES_SKIP } from "../testing/postgres-binaries.ts";
import { sharedPostgres } from "../testing/shared-postgres.ts";
import { readAddress } from "./address.ts";
import { postgresDialect } from "./dialect.ts";
import { isAmong } from "./is-among.ts";
import { openPool } from "./pool.ts";

it
  .skipIf(POSTGRES_SKIP !== "")
  .each([[[]], [["one"]], [["a", 'b"', "c'; --", "[]", "{}", "{a,b}", "\\", "1", "null", "NULL", "", "漢字\n"]]])(
  `is true for each of %j, and for nothing else${POSTGRES_SKIP}`,
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
