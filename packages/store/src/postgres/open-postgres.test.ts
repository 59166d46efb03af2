import { afterEach, describe, expect, it } from "vitest";
import type { Store } from "../contract/store.ts";
import { describeStore } from "../testing/describe-store.ts";
import { makeEpoch, makePreset } from "../testing/make.ts";
import { openPostgresServer, POSTGRES_SKIP } from "../testing/postgres.ts";
import { makePostgresDatabases, sharedPostgres } from "../testing/shared-postgres.ts";
import { openPostgres } from "./open-postgres.ts";

const nowMs = () => 0;

describe.skipIf(POSTGRES_SKIP !== "")(`PostgreSQL${POSTGRES_SKIP}`, () => {
  const url = makePostgresDatabases();
  describeStore("as a store", async (name, clock) => openPostgres({ url: await url(name), nowMs: clock }));
});

describe.skipIf(POSTGRES_SKIP !== "")(`openPostgres${POSTGRES_SKIP}`, () => {
  const stores: Store[] = [];
  const url = makePostgresDatabases();
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
  });

  it("creates the tables once if many processes open a new database at once", async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => open()));
    await Promise.all(opened.map(({ epochs }, index) => epochs.put(makeEpoch({ prefix: `prefix-${index}` }))));
    const prefixes = opened.map((_, index) => `prefix-${index}`);
    expect(await opened[0]?.epochs.find("scope", prefixes)).toHaveLength(8);
  });

  it("leaves no state in a connection that a transaction pooler would lose", async () => {
    const address = new URL(await url());
    address.searchParams.set("application_name", "pooled");
    const store = await open(address.href, 1);
    await store.presets.put(makePreset());
    await store.epochs.find("scope", ["prefix"]);
    const { ask } = await sharedPostgres();
    expect(await ask(STATE_OF_POOLED)).toEqual([{ locks: 0, transactions: 0, listening: 0 }]);
    expect(await store.presets.list()).toEqual([makePreset()]);
  });

  it("rejects a database that a newer Longhaul wrote", async () => {
    await open();
    const { command } = await sharedPostgres();
    await command(`insert into ${schemaOf(await url())}.longhaul_migrations values (99, 'things to come', 0)`);
    await expect(open()).rejects.toMatchObject({
      code: "store.newer",
      message: expect.stringMatching(
        /^the database postgres at 127\.0\.0\.1:\d+ was written by a newer version of Longhaul \(migration 99, "things to come"; this version knows/,
      ),
    });
  });

  it("leaves a database with another program's tables unchanged", async () => {
    const { command, ask } = await sharedPostgres();
    const schema = schemaOf(await url());
    await command(`create table ${schema}.windows (name text)`);
    await expect(open()).rejects.toMatchObject({
      code: "store.unavailable",
      message: expect.stringMatching(/relation "windows" already exists; it has another program.s tables/),
    });
    expect(await ask(`select table_name from information_schema.tables where table_schema = '${schema}'`)).toEqual([
      { table_name: "windows" },
    ]);
  });

  it.each([
    ["an unreachable server", "127.0.0.1:1", "longhaul", /longhaul at 127\.0\.0\.1:1 .*ECONNREFUSED/],
    ["an unknown host", "absent.invalid:5432", "longhaul", /longhaul at absent\.invalid:5432 /],
    ["a missing database", "", "absent", /absent at 127.* does not exist; create the database/],
    ["a server without TLS", "", "postgres?sslmode=require", /does not support SSL/],
  ])("reports %s without the password", async (_, host, database, reason) => {
    const { port } = await sharedPostgres();
    const opening = open(`postgres://longhaul:Secret@${host || `127.0.0.1:${port}`}/${database}`);
    await expect(opening).rejects.toMatchObject({ code: "store.unavailable", message: expect.stringMatching(reason) });
    await expect(opening).rejects.not.toThrow(/Secret/);
  });

  it("reports a wrong password without showing it", async () => {
    const { port, command } = await sharedPostgres();
    await command("drop role if exists guarded; create role guarded login password 'Right'");
    const opening = open(`postgres://guarded:Wrong@127.0.0.1:${port}/postgres`);
    await expect(opening).rejects.toThrow(/password authentication failed .*check the user and the password/);
    await expect(opening).rejects.not.toThrow(/Wrong/);
  });

  it("fails at once while its server is down, and recovers when it is back, including notifications", async () => {
    const server = await openPostgresServer();
    try {
      const store = await open(await server.createDatabase());
      const notified: string[] = [];
      store.changes.listen((kind) => notified.push(kind));
      await store.epochs.put(makeEpoch());
      await server.kill();
      const { error, ms } = await firstRefusal(() => store.epochs.find("scope", ["prefix"]));
      expect(error).toMatchObject({ code: "store.unavailable" });
      expect(ms).toBeLessThan(5_000);
      await server.start();
      expect(await store.epochs.find("scope", ["prefix"])).toEqual([makeEpoch()]);
      await store.presets.put(makePreset());
      await expect.poll(() => notified).toEqual(["presets"]);
      await store.close();
    } finally {
      await server.close();
    }
  });

  async function open(address?: string, maxConnections?: number): Promise<Store> {
    const options = { url: address ?? (await url()), nowMs };
    const store = await openPostgres(maxConnections === undefined ? options : { ...options, maxConnections });
    stores.push(store);
    return store;
  }
});

/** Connections outlive a killed server for a moment. */
async function firstRefusal(ask: () => Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  for (;;) {
    const startedMs = performance.now();
    try {
      await ask();
    } catch (error) {
      return { error, ms: performance.now() - startedMs };
    }
  }
}

function schemaOf(url: string): string {
  return new URL(url).searchParams.get("options")?.split("=")[1] ?? "";
}

const STATE_OF_POOLED = `
  select
    (select count(*)::int from pg_locks join pg_stat_activity using (pid)
      where application_name = 'pooled' and locktype = 'advisory') as locks,
    (select count(*)::int from pg_stat_activity where application_name = 'pooled' and xact_start is not null) as transactions,
    (select count(*)::int from pg_stat_activity where application_name = 'pooled' and query ilike 'listen%') as listening`;
