import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeMigrations } from "../../testing/describe-migrations.ts";
import { makeEngine, openEmptyDatabase, readRevisions } from "../../testing/open-database.ts";
import type { Database } from "../tables.ts";
import { epochsWindowsCalibrations } from "./0001-epochs-windows-calibrations.ts";
import { settingsPresetsKeys } from "./0002-settings-presets-keys.ts";
import { limitsLeasesSignIns } from "./0003-limits-leases-sign-ins.ts";
import { contents } from "./0004-contents.ts";
import { events } from "./0005-events.ts";
import { sessionParents } from "./0006-session-parents.ts";
import { evidence } from "./0007-evidence.ts";
import { MIGRATIONS, migrate } from "./migrate.ts";
import { bytes, type Migration, makeTable, numbers, texts } from "./migration.ts";

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

  it("runs only new migrations", async () => {
    await run([words], 5);
    await run([words], 6);
    await run([words, letters], 7);
    expect((await recorded()).map(({ ranAtMs }) => ranAtMs)).toEqual([5, 7]);
  });

  it("leaves the database unchanged if one fails", async () => {
    await run([words], 5);
    await expect(run([words, letters, broken], 6)).rejects.toMatchObject({ code: "store.unavailable" });
    expect(await tables()).toEqual(["longhaul_migrations", "words"]);
    expect(await recorded()).toHaveLength(1);
  });

  it("leaves an empty database empty if the first fails", async () => {
    await expect(run([broken], 5)).rejects.toThrow();
    expect(await tables()).toEqual([]);
  });

  it("rejects a database with an unknown migration", async () => {
    await run([words, letters], 5);
    await expect(run([words], 6)).rejects.toMatchObject({
      code: "store.newer",
      message:
        'the database store.db was written by a newer version of Longhaul (migration 2, "letters"; this version knows 1); start that version, or use another database',
    });
    expect(await recorded()).toHaveLength(2);
  });

  it("creates the current tables in an empty database", async () => {
    await run(MIGRATIONS, 5);
    expect(await tables()).toEqual([
      "calibrations",
      "condensations",
      "contents",
      "epochs",
      "fronts",
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
      .execute((transaction) => migrate(transaction, { label: "store.db", migrations, nowMs: () => nowMs }));
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

describeMigrations("SQLite", async () => makeEngine(openEmptyDatabase()));

describe("0001 epochs, windows, calibrations", () => {
  it("creates the first tables, which never change", async () => {
    const database = openEmptyDatabase();
    await epochsWindowsCalibrations.run(database);
    const tables = await database.withoutPlugins().introspection.getTables();
    expect(Object.fromEntries(tables.map(({ name, columns }) => [name, columns.map(describeColumn)]))).toEqual({
      calibrations: ["upstream text", "model text", "state text"],
      epochs: [
        "scope text",
        "prefix text",
        "version integer",
        "is_stand_in integer",
        "from integer",
        "messages integer",
        "used_at_ms double precision",
        "made_at_ms double precision",
        "tokens_before double precision",
        "tokens_after double precision",
        "target_tokens double precision",
        "cost_usd double precision",
        "tenant text",
        "session text",
        "upstream text",
        "model text",
        "strategy text",
        "projection text",
      ],
      windows: [
        "upstream text",
        "credential text",
        "model text",
        "window_tokens double precision",
        "learned_at_ms double precision",
      ],
    });
    await database.destroy();
  });
});

function describeColumn({ name, dataType }: { name: string; dataType: string }): string {
  return `${name} ${dataType.toLowerCase()}`;
}

describe("0002 settings, presets, keys", () => {
  it("starts with revision 0 of each kind", async () => {
    const database = openEmptyDatabase();
    await settingsPresetsKeys.run(database);
    expect(await readRevisions(database)).toEqual({ settings: 0, presets: 0, keys: 0 });
    await database.destroy();
  });
});

describe("0003 limits, leases, sign-ins", () => {
  it("creates tables without nullable columns", async () => {
    const database = openEmptyDatabase();
    await limitsLeasesSignIns.run(database);
    const tables = await database.withoutPlugins().introspection.getTables();
    expect(tables).toHaveLength(6);
    expect(tables.flatMap(({ columns }) => columns.filter(({ isNullable }) => isNullable))).toEqual([]);
    await database.destroy();
  });
});

describe("0004 contents", () => {
  it("puts wide columns last, and allows an absent `after`", async () => {
    const database = openEmptyDatabase();
    await contents.run(database);
    const [table] = await database.withoutPlugins().introspection.getTables();
    expect(table?.columns.slice(-3).map(({ name, isNullable }) => [name, isNullable])).toEqual([
      ["bytes", false],
      ["before", false],
      ["after", true],
    ]);
    await database.destroy();
  });
});

describe("0005 events", () => {
  it("creates an index for every query of events", async () => {
    const database = openEmptyDatabase();
    await events.run(database);
    const { rows } = await sql<{ readonly name: string }>`select name from sqlite_schema
      where type = 'index' and name like '%by%' order by name`.execute(database);
    expect(rows.map(({ name }) => name)).toEqual([
      "condensations_by_request",
      "condensations_by_session",
      "condensations_by_time",
      "requests_by_key",
      "requests_by_session",
      "requests_by_time",
      "session_hours_by_session",
      "sessions_by_use",
    ]);
    await database.destroy();
  });
});

describe("0006 session parents", () => {
  it("makes every earlier session a main thread", async () => {
    const database = openEmptyDatabase();
    await events.run(database);
    await sql`insert into sessions values ('t', 's', 1, 1, 1, 0, 0, 0, 0, 'm', 'u', '', 0, 0, 0)`.execute(database);
    await sessionParents.run(database);
    const { rows } = await sql`select session, parent from sessions`.execute(database);
    expect(rows).toEqual([{ session: "s", parent: "" }]);
    await database.destroy();
  });
});

describe("0007 evidence", () => {
  it("deletes epochs without evidence, and adds its columns", async () => {
    const database = openEmptyDatabase();
    await epochsWindowsCalibrations.run(database);
    await sql`insert into epochs values ('s', 'p', 1, 0, 0, 9, 0, 0, 9, 1, 5, 0, 't', 'u', 'v', 'm', 'native', '{}')`.execute(
      database,
    );
    await evidence.run(database);
    const [epochs] = await database
      .withoutPlugins()
      .introspection.getTables()
      .then((all) => all.filter(({ name }) => name === "epochs"));
    expect(epochs?.columns.slice(-3).map(({ name, isNullable }) => [name, isNullable])).toEqual([
      ["projection", false],
      ["bound", false],
      ["evidence", false],
    ]);
    const { rows } = await sql`select * from epochs`.execute(database);
    expect(rows).toEqual([]);
    await database.destroy();
  });
});

describe("makeTable", () => {
  it("creates columns in order, nullable only if optional, and the primary key", async () => {
    const database = openEmptyDatabase();
    await makeTable(database.schema, "longWords", {
      columns: [...texts("word"), ...numbers("atMs"), ...bytes("shape")],
      key: ["word", "atMs"],
      optional: ["shape"],
    });
    const [table] = await database.withoutPlugins().introspection.getTables();
    expect(table?.name).toBe("long_words");
    expect(table?.columns.map(({ name, dataType, isNullable }) => [name, dataType.toLowerCase(), isNullable])).toEqual([
      ["word", "text", false],
      ["at_ms", "double precision", false],
      ["shape", "bytea", true],
    ]);
    const { rows } = await sql`select name from pragma_table_info('long_words') where pk > 0 order by pk`.execute(
      database,
    );
    expect(rows.map((row) => Object.assign({}, row))).toEqual([{ name: "word" }, { name: "at_ms" }]);
    await database.destroy();
  });
});
