import { describe, expect, it } from "vitest";
import { describeStore, isInMemory, openStore, storeLocation } from "./open-store.ts";
import { makeWindow } from "./testing/make.ts";
import { POSTGRES_SKIP } from "./testing/postgres.ts";
import { makePostgresDatabases } from "./testing/shared-postgres.ts";

describe("openStore", () => {
  const postgresUrl = makePostgresDatabases();

  it("opens a SQLite store for a path", async () => {
    await expectStore({ path: ":memory:", nowMs: () => 0 });
  });

  it.skipIf(POSTGRES_SKIP !== "")(`opens a PostgreSQL store for a URL${POSTGRES_SKIP}`, async () => {
    await expectStore({ url: await postgresUrl(), nowMs: () => 0 });
  });

  async function expectStore(options: Parameters<typeof openStore>[0]): Promise<void> {
    const store = await openStore(options);
    await store.windows.learn(makeWindow());
    expect(await store.windows.list()).toEqual([makeWindow()]);
    await store.close();
  }
});

it.each([
  [{}, { path: ":memory:" }, "in memory, lost on restart"],
  [{ path: "a.db" }, { path: "a.db" }, "a.db"],
  [{ path: "a.db", url: "postgres://me:hush@db:1/x" }, { url: "postgres://me:hush@db:1/x" }, "PostgreSQL at db:1"],
])("locates the store of %j at %j", (store, location, description) => {
  expect(storeLocation({ store })).toEqual(location);
  expect(describeStore(location)).toBe(description);
  expect(isInMemory(location)).toBe(description.startsWith("in memory"));
});
