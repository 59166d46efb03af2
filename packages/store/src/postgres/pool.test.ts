import { LonghaulError } from "@longhaul/conversation";
import { DatabaseError, types } from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { openRelay, POSTGRES_SKIP, type Relay } from "../testing/postgres.ts";
import { sharedPostgres } from "../testing/shared-postgres.ts";
import { readAddress } from "./address.ts";
import { type ConnectionPool, openPool, TYPES, toStoreError } from "./pool.ts";

describe.skipIf(POSTGRES_SKIP !== "")(`openPool${POSTGRES_SKIP}`, () => {
  let relay: Relay | undefined;
  let pool: ConnectionPool;
  afterEach(async () => {
    await pool.close();
    await relay?.close();
    relay = undefined;
  });

  it("returns rows and the number of changed rows", async () => {
    await open();
    const connection = await pool.acquire();
    const columns = "select $1::bytea as bytes, count(*), sum(1.5), $2::float8 as number";
    expect(await connection.execute(columns, [Uint8Array.of(0, 255), 0.1 + 0.2])).toEqual({
      rows: [{ bytes: Uint8Array.of(0, 255), count: 1, sum: 1.5, number: 0.1 + 0.2 }],
    });
    await connection.execute("create temporary table words (word text)", []);
    const inserted = await connection.execute("insert into words values ($1), ($2)", ["a", "b"]);
    expect(inserted).toEqual({ rows: [], numAffectedRows: 2n });
    connection.release(true);
  });

  it("rejects the commit of a failed transaction", async () => {
    await open();
    const connection = await pool.acquire();
    await connection.execute("begin", []);
    await expect(connection.execute("select absent", [])).rejects.toMatchObject({ code: "store.unavailable" });
    await expect(connection.execute("commit", [])).rejects.toThrow(/the transaction was rolled back/);
    connection.release(false);
  });

  it("does not reuse a connection that is lost or in an unknown state", async () => {
    await open();
    const first = await pool.acquire();
    const before = await processOf(first);
    await expect(first.execute("select pg_terminate_backend(pg_backend_pid())", [])).rejects.toThrow(/terminating/);
    first.release(false);
    const second = await pool.acquire();
    expect(await processOf(second)).not.toEqual(before);
    second.release(true);
  });

  it("gives up within two seconds if the server hangs, but waits for a slow one", async () => {
    relay = await openRelay((await sharedPostgres()).port);
    await open(relay.port);
    const connection = await pool.acquire();
    expect((await connection.execute("select pg_sleep(2)", [])).rows).toHaveLength(1);
    const idle = await pool.acquire();
    idle.release(false);
    relay.hang();
    const hung = { code: "store.unavailable", message: expect.stringMatching(/stopped responding/) };
    await expect(connection.execute("select 1", [])).rejects.toMatchObject(hung);
    connection.release(false);
  });

  it("rejects if all connections stay in use", async () => {
    await open(undefined, 1);
    const connection = await pool.acquire();
    await expect(pool.acquire()).rejects.toMatchObject({ code: "store.unavailable" });
    connection.release(false);
  });

  it("can be closed twice, and rejects afterwards", async () => {
    await open();
    await pool.close();
    await pool.close();
    await expect(pool.acquire()).rejects.toMatchObject({ code: "store.unavailable" });
  });

  async function open(port?: number, maxConnections = 2): Promise<void> {
    const address = `postgres://longhaul@127.0.0.1:${port ?? (await sharedPostgres()).port}/postgres`;
    pool = openPool(readAddress(address), { maxConnections, statementMs: 10_000 });
  }

  async function processOf(connection: Awaited<ReturnType<ConnectionPool["acquire"]>>): Promise<unknown> {
    return (await connection.execute("select pg_backend_pid()", [])).rows;
  }
});

const { BYTEA, FLOAT8, INT4, INT8, NUMERIC, TEXT } = types.builtins;

describe("TYPES", () => {
  it.each([
    [INT4, "7", 7],
    [INT8, "9007199254740991", Number.MAX_SAFE_INTEGER],
    [NUMERIC, "12.50", 12.5],
    [FLOAT8, "0.30000000000000004", 0.1 + 0.2],
    [TEXT, "7", "7"],
    [BYTEA, "\\x00ff", Uint8Array.of(0, 255)],
  ])("reads type %i", (oid, text, value) => {
    expect(TYPES.getTypeParser(oid, "text")(text)).toStrictEqual(value);
  });
});

const LABEL = "longhaul at db:5432";

describe("inOurWords", () => {
  it.each([
    ["28P01", "check the user and the password in the URL"],
    ["28000", "check the user and the password in the URL"],
    ["3D000", "create the database, or use another one"],
    ["42P07", "it has another program's tables; use a separate database for Longhaul"],
    ["53300", "allow more connections, or put a pooler in front"],
    ["25006", "use the primary, not a read-only replica"],
    ["57P01", "check that it is running and reachable"],
  ])("gives advice for %s", (code, advice) => {
    expect(toStoreError(makeError(code), LABEL)).toMatchObject({
      code: "store.unavailable",
      retryable: true,
      message: `the database longhaul at db:5432 is unavailable: because; ${advice}`,
    });
  });

  it.each(["XX001", "XX002"])("reports %s as damage", (code) => {
    expect(toStoreError(makeError(code), LABEL)).toMatchObject({
      code: "store.damaged",
      message: "the database longhaul at db:5432 is damaged: because. Restore a backup, or use another database",
    });
  });

  it("names every address of an unreachable host", () => {
    const refusals = ["::1", "127.0.0.1"].map((address) => new Error(`connect ECONNREFUSED ${address}:5432`));
    expect(toStoreError(new AggregateError(refusals), LABEL)).toMatchObject({
      message: expect.stringContaining(
        "is unavailable: connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432;",
      ),
    });
  });

  it.each([[new LonghaulError("store.newer", "no")], ["no"], [undefined]])("passes on %s", (error) => {
    expect(toStoreError(error, LABEL)).toBe(error);
  });

  function makeError(code: string): DatabaseError {
    return Object.assign(new DatabaseError("because", 0, "error"), { code });
  }
});
