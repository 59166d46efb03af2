import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Limits } from "../contract/keys.ts";
import { makeLimitEntry } from "../testing/make.ts";
import { explainQueries, makeEngine, openDatabase } from "../testing/open-database.ts";
import { makeLimits } from "./limits.ts";
import type { Database } from "./tables.ts";

const TABLES = ["limitTurns", "limitEntries", "limitMinutes", "limitSpending"] as const;

describe("makeLimits", () => {
  let connection: DatabaseSync;
  let database: Database;
  let limits: Limits;
  beforeEach(async () => {
    connection = new DatabaseSync(":memory:");
    database = await openDatabase(connection);
    limits = makeLimits(makeEngine(database));
  });
  afterEach(() => database.destroy());

  it("reads only the key's own rows", async () => {
    const plan = await explainQueries(connection, async () => {
      await limits.enter(makeLimitEntry());
      await limits.leave("key", "request", { usd: 1, atMs: 0 });
    });
    expect(plan.filter((step) => step.startsWith("SEARCH")).length).toBeGreaterThan(5);
    expect(plan.filter((step) => step.startsWith("SCAN"))).toEqual(["SCAN CONSTANT ROW"]);
  });

  it("keeps one row per key after everything has expired", async () => {
    const atMs = Date.UTC(2026, 0, 31);
    const expiresAtMs = atMs + 9;
    await limits.enter(makeLimitEntry({ nowMs: atMs, expiresAtMs }));
    await limits.leave("key", "absent", { usd: 1, atMs });
    await limits.prune(atMs);
    expect(await rowCounts()).toEqual([1, 1, 1, 1]);
    await limits.prune(Date.UTC(2026, 1, 1));
    expect(await rowCounts()).toEqual([1, 0, 0, 0]);
  });

  async function rowCounts(): Promise<number[]> {
    const tables = await Promise.all(TABLES.map((table) => database.selectFrom(table).selectAll().execute()));
    return tables.map((rows) => rows.length);
  }
});
