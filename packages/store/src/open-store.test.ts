import { describe, expect, it } from "vitest";
import { openStore } from "./open-store.ts";
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
