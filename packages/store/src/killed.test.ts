import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Store } from "./contract/store.ts";
import { openStore, type StoreLocation } from "./open-store.ts";
import { openPostgresServer, POSTGRES_SKIP } from "./testing/postgres.ts";
import { makeEvents, makeLongEpoch, runWriter, type Written } from "./testing/run-writer.ts";
import { makePostgresDatabases } from "./testing/shared-postgres.ts";

const KILLS = 25;
const AT_ONCE = 5;
const DAY_MS = 86_400_000;
/** Ends a test that hangs. Starting the processes takes minutes on a busy machine. */
const HANG_MS = 900_000;
/** More than any writer gets to write before it is killed. */
const ENDLESS = 1_000_000;

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("acknowledged writes", () => {
  const postgresUrl = makePostgresDatabases();
  const skipped = POSTGRES_SKIP === "" ? "" : ` (SQLite only: ${POSTGRES_SKIP})`;

  it(
    `survive ${KILLS} writers killed while writing, and no write is partial${skipped}`,
    async () => {
      const stores: StoreLocation[] = [{ path: join(folder, "killed.db") }];
      if (POSTGRES_SKIP === "") stores.push({ url: await postgresUrl() });
      const cache = join(folder, "cache");
      const { written, failure } = await runWriter({ stores, name: "first", count: 1, cache });
      expect(failure).toBe("");
      for (let killed = 0; killed < KILLS; killed += AT_ONCE) {
        const writers = Array.from({ length: AT_ONCE }, (_, index) => `writer-${killed + index}`);
        const runs = await Promise.all(
          writers.map((name, index) => runWriter({ stores, name, count: ENDLESS, killAfter: 8 + 3 * index, cache })),
        );
        expect(runs.map(({ failure: each }) => each)).toEqual(writers.map(() => ""));
        written.push(...runs.flatMap((run) => run.written));
      }
      for (const [index, location] of stores.entries()) {
        await expectWhole(
          location,
          written.filter((each) => each.store === index),
        );
      }
    },
    HANG_MS,
  );

  it.skipIf(POSTGRES_SKIP !== "")(
    `survive a PostgreSQL killed while writing${POSTGRES_SKIP}`,
    async () => {
      const server = await openPostgresServer();
      try {
        const url = await server.createDatabase();
        const written: Written[] = [];
        const store = await openStore({ url, nowMs: Date.now });
        for (let killed = 0; killed < 5; killed++) {
          const refusal = writeUntilRefused(store, `server-${killed}`, written).catch((error: unknown) => error);
          await afterWrites(written, 20);
          await server.kill();
          expect(await refusal).toMatchObject({ code: "store.unavailable" });
          await server.start();
        }
        await expectWhole({ url }, written);
        await store.epochs.put(makeLongEpoch("after all"));
        await store.close();
      } finally {
        await server.close();
      }
    },
    HANG_MS,
  );
});

async function writeUntilRefused(store: Store, name: string, written: Written[]): Promise<never> {
  for (let number = 0; ; number++) {
    await store.epochs.put(makeLongEpoch(`${name}-${number}`));
    written.push({ store: 0, kind: "epoch", name: `${name}-${number}` });
    await store.events.add(makeEvents(`${name}-${number}`));
    written.push({ store: 0, kind: "events", name: `${name}-${number}` });
  }
}

async function afterWrites(written: readonly Written[], more: number): Promise<void> {
  const enough = written.length + more;
  while (written.length < enough) await new Promise((resolve) => setImmediate(resolve));
}

/** Expects all acknowledged rows, and that every stored row is complete, acknowledged or not. */
async function expectWhole(location: StoreLocation, written: readonly Written[]): Promise<void> {
  const store = await openStore({ ...location, nowMs: Date.now });
  const names = (kind: Written["kind"]) => written.filter((each) => each.kind === kind).map(({ name }) => name);
  const possible = [...new Set(names("epoch").flatMap((name) => [name, after(name)]))];
  const epochs = await store.epochs.find("scope", possible);
  expect(epochs.map(({ prefix }) => prefix)).toEqual(expect.arrayContaining(names("epoch")));
  expect(epochs).toEqual(epochs.map(({ prefix }) => makeLongEpoch(prefix)));
  const kept = await store.events.requests({ limit: ENDLESS });
  const batches = new Set(kept.map(({ session }) => session));
  expect([...batches]).toEqual(expect.arrayContaining(names("events")));
  const whole = [...batches].flatMap((name) => makeEvents(name).requests);
  expect(new Set(kept.map(({ id }) => id))).toEqual(new Set(whole.map(({ id }) => id)));
  const condensations = await store.events.condensations({ limit: ENDLESS });
  expect(new Set(condensations.map(({ id }) => id))).toEqual(batches);
  const sums = await store.events.totals({ sinceMs: 0, untilMs: Date.now() + DAY_MS, bucket: "day" });
  expect(sums.reduce((sum, { requests }) => sum + requests, 0)).toBe(whole.length);
  await store.close();
}

/** The row that was being written after the last acknowledged one. */
function after(name: string): string {
  const [writer, kind, number = 0] = name.split("-");
  return `${writer}-${kind}-${Number(number) + 1}`;
}
