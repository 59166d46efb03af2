import { CamelCasePlugin, Kysely, sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Database, Tables } from "../sql/tables.ts";
import { POSTGRES_SKIP } from "../testing/postgres-binaries.ts";
import { makePostgresDatabases } from "../testing/shared-postgres.ts";
import { type Address, readAddress } from "./address.ts";
import { notify, openChanges, type PostgresChanges } from "./changes.ts";
import { postgresDialect } from "./dialect.ts";
import { openPostgres } from "./open-postgres.ts";
import { type ConnectionPool, openPool } from "./pool.ts";

const PATIENT = { timeout: 60_000 };

// What every store tells of changes is in testing/describe-changes.ts; this is how PostgreSQL hears of them.
describe.skipIf(POSTGRES_SKIP !== "")(`openChanges${POSTGRES_SKIP}`, () => {
  const url = makePostgresDatabases();
  let pool: ConnectionPool;
  let database: Database;
  let changes: PostgresChanges;
  beforeEach(async () => {
    await (await openPostgres({ url: await url(), nowMs: () => 0 })).close();
    pool = openPool(readAddress(await url()), { maxConnections: 3, statementMs: 10_000 });
    database = new Kysely<Tables>({ dialect: postgresDialect(pool), plugins: [new CamelCasePlugin()] });
  });
  afterEach(async () => {
    await changes.close();
    await pool.close();
  });

  it("hears of what is committed, and not of what is rolled back", async () => {
    const told = await listen(readAddress(await url()));
    const failing = revise(true);
    await expect(failing).rejects.toThrow("changed my mind");
    await revise(false);
    await vi.waitUntil(() => told.mock.calls.length > 0, PATIENT);
    expect(told.mock.calls).toEqual([["keys"]]);
  });

  it("says on a channel what is committed, and nothing of what is rolled back", async () => {
    changes = await openChanges(database, readAddress(await url()));
    const client = new pg.Client(await url());
    await client.connect();
    const speakers: number[] = [];
    client.on("notification", ({ processId }) => speakers.push(processId));
    await client.query("listen longhaul_changes");
    await expect(revise(true)).rejects.toThrow("changed my mind");
    await revise(false);
    // Whoever else uses the same server is heard, too.
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database);
    const own = () => speakers.filter((speaker) => speaker === rows[0]?.pid);
    await vi.waitUntil(() => own().length > 0, PATIENT);
    expect(own()).toHaveLength(1);
    await client.end();
  });

  it("looks for changes where nothing can be heard", async () => {
    const told = await listen(readAddress("postgres://127.0.0.1:1/nobody"));
    await revise(false);
    await vi.waitUntil(() => told.mock.calls.length > 0, PATIENT);
    expect(told.mock.calls).toEqual([["keys"]]);
  });

  async function listen(address: Address) {
    changes = await openChanges(database, address);
    const told = vi.fn();
    changes.listen(told);
    return told;
  }

  function revise(isUndone: boolean): Promise<void> {
    return database.transaction().execute(async (transaction) => {
      await transaction.updateTable("revisions").set({ revision: 1 }).where("kind", "=", "keys").execute();
      await notify(transaction);
      if (isUndone) throw new Error("changed my mind");
    });
  }
});
