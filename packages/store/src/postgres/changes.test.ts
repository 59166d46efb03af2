import { CamelCasePlugin, Kysely, sql } from "kysely";
import pg, { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Database, Tables } from "../sql/tables.ts";
import { openRelay, POSTGRES_SKIP, type Relay } from "../testing/postgres.ts";
import { makePostgresDatabases, sharedPostgres } from "../testing/shared-postgres.ts";
import { type Address, readAddress } from "./address.ts";
import { NotificationListener, notify, openChanges, type PostgresChanges } from "./changes.ts";
import { postgresDialect } from "./dialect.ts";
import { openPostgres } from "./open-postgres.ts";
import { type ConnectionPool, openPool } from "./pool.ts";

const WAIT = { timeout: 60_000 };

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

  it("reports committed changes, but not rolled back ones", async () => {
    const notified = await listen(readAddress(await url()));
    const failing = revise(true);
    await expect(failing).rejects.toThrow("changed my mind");
    await revise(false);
    await vi.waitUntil(() => notified.mock.calls.length > 0, WAIT);
    expect(notified.mock.calls).toEqual([["keys"]]);
  });

  it("sends a notification on commit, but not on rollback", async () => {
    changes = await openChanges(database, readAddress(await url()));
    const client = new pg.Client(await url());
    await client.connect();
    const speakers: number[] = [];
    client.on("notification", ({ processId }) => speakers.push(processId));
    await client.query("listen longhaul_changes");
    await expect(revise(true)).rejects.toThrow("changed my mind");
    await revise(false);
    // Other users of the server send notifications too.
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database);
    const own = () => speakers.filter((speaker) => speaker === rows[0]?.pid);
    await vi.waitUntil(() => own().length > 0, WAIT);
    expect(own()).toHaveLength(1);
    await client.end();
  });

  it("polls for changes without a listening connection", async () => {
    const notified = await listen(readAddress("postgres://127.0.0.1:1/nobody"));
    await revise(false);
    await vi.waitUntil(() => notified.mock.calls.length > 0, WAIT);
    expect(notified.mock.calls).toEqual([["keys"]]);
  });

  async function listen(address: Address) {
    changes = await openChanges(database, address);
    const notified = vi.fn();
    changes.listen(notified);
    return notified;
  }

  function revise(isUndone: boolean): Promise<void> {
    return database.transaction().execute(async (transaction) => {
      await transaction.updateTable("revisions").set({ revision: 1 }).where("kind", "=", "keys").execute();
      await notify(transaction);
      if (isUndone) throw new Error("changed my mind");
    });
  }
});

const CHECK_MS = 50;

describe.skipIf(POSTGRES_SKIP !== "")(`NotificationListener${POSTGRES_SKIP}`, () => {
  let listener: NotificationListener;
  const relays: Relay[] = [];
  const onNotification = vi.fn();
  afterEach(async () => {
    await listener.close();
    for (const relay of relays.splice(0)) await relay.close();
    onNotification.mockReset();
  });

  it("receives notifications on its channel", async () => {
    await open();
    await vi.waitUntil(() => listener.isReceiving, WAIT);
    const before = onNotification.mock.calls.length;
    await notifyChannel("listener_test");
    await vi.waitUntil(() => onNotification.mock.calls.length > before, WAIT);
  });

  it("reconnects when its connection is lost, and checks for missed changes", async () => {
    await open();
    await vi.waitUntil(() => listener.isReceiving, WAIT);
    const before = onNotification.mock.calls.length;
    const { command } = await sharedPostgres();
    await command("select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen listener_test;%'");
    await vi.waitUntil(() => onNotification.mock.calls.length > before && listener.isReceiving, WAIT);
  });

  it("is not receiving if its echo does not come back", async () => {
    await open({ notifyChannel: async () => {} });
    await vi.waitUntil(() => onNotification.mock.calls.length > 0, WAIT);
    expect(listener.isReceiving).toBe(false);
  });

  it("notices when notifications stop arriving", async () => {
    const relay = await openRelay((await sharedPostgres()).port);
    relays.push(relay);
    await open({ port: relay.port });
    await vi.waitUntil(() => listener.isReceiving, WAIT);
    relay.hang();
    await vi.waitUntil(() => !listener.isReceiving, WAIT);
  });

  it("retries until it is closed if the server is unreachable", async () => {
    await open({ port: 1 });
    expect(listener.isReceiving).toBe(false);
  });

  async function open(
    options: { port?: number; notifyChannel?: (channel: string) => Promise<void> } = {},
  ): Promise<void> {
    const port = options.port ?? (await sharedPostgres()).port;
    const address = readAddress(`postgres://longhaul@127.0.0.1:${port}/postgres`);
    listener = new NotificationListener({
      address,
      channel: "listener_test",
      onNotification,
      notify: options.notifyChannel ?? notifyChannel,
      checkMs: CHECK_MS,
    });
  }

  async function notifyChannel(channel: string): Promise<void> {
    const client = new Client(`postgres://longhaul@127.0.0.1:${(await sharedPostgres()).port}/postgres`);
    await client.connect();
    await client.query(`notify ${channel}`);
    await client.end();
  }
});
