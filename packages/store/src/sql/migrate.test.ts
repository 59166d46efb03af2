import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openEmptyDatabase } from "../testing/open-database.ts";
import { migrate } from "./migrate.ts";
import type { Migration } from "./migrations/migration.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import type { Database } from "./tables.ts";

const words = makeMigration("words");
const letters = makeMigration("letters");
const broken: Migration = { name: "broken", run: ({ schema }) => schema.dropTable("absent").execute() };

describe("migrate", () => {
  let database: Database;
  beforeEach(() => {
    database = openEmptyDatabase();
  });
  afterEach(() => database.destroy());

  it("runs every migration and records it", async () => {
    await run([words, letters], 5);
    expect(await tables()).toEqual(["letters", "longhaul_migrations", "words"]);
    expect(await recorded()).toEqual([
      { number: 1, name: "words", ranAtMs: 5 },
      { number: 2, name: "letters", ranAtMs: 5 },
    ]);
  });

  it("runs only what is new", async () => {
    await run([words], 5);
    await run([words], 6);
    await run([words, letters], 7);
    expect((await recorded()).map(({ ranAtMs }) => ranAtMs)).toEqual([5, 7]);
  });

  it("leaves a database as it was when one fails", async () => {
    await run([words], 5);
    await expect(run([words, letters, broken], 6)).rejects.toMatchObject({ code: "store.unavailable" });
    expect(await tables()).toEqual(["longhaul_migrations", "words"]);
    expect(await recorded()).toHaveLength(1);
  });

  it("leaves an empty database empty when the first fails", async () => {
    await expect(run([broken], 5)).rejects.toThrow();
    expect(await tables()).toEqual([]);
  });

  it("refuses a database that has more than it knows", async () => {
    await run([words, letters], 5);
    await expect(run([words], 6)).rejects.toMatchObject({
      code: "store.newer",
      message:
        'the database store.db has migration 2 ("letters") and this Longhaul knows 1; start the newer Longhaul that wrote it, or name another database',
    });
    expect(await recorded()).toHaveLength(2);
  });

  it("brings an empty database to today's tables", async () => {
    await run(MIGRATIONS, 5);
    expect(await tables()).toEqual([
      "calibrations",
      "condensations",
      "contents",
      "epochs",
      "keys",
      "leases",
      "limit_entries",
      "limit_minutes",
      "limit_spending",
      "limit_turns",
      "longhaul_migrations",
      "presets",
      "requests",
      "revisions",
      "session_hours",
      "sessions",
      "setting_changes",
      "settings",
      "sign_ins",
      "totals",
      "windows",
    ]);
  });

  function run(migrations: readonly Migration[], nowMs: number): Promise<void> {
    return database
      .transaction()
      .execute((transaction) => migrate(transaction, { place: "store.db", migrations, nowMs: () => nowMs }));
  }

  async function tables(): Promise<string[]> {
    const all = await database.withoutPlugins().introspection.getTables();
    return all.map(({ name }) => name).sort();
  }

  async function recorded() {
    const rows = await database.selectFrom("longhaulMigrations").selectAll().orderBy("number").execute();
    return rows.map((row) => ({ ...row }));
  }
});

function makeMigration(name: string): Migration {
  return { name, run: ({ schema }) => schema.createTable(name).addColumn("name", "text").execute() };
}
