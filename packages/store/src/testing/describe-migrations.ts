import { describe, expect, it } from "vitest";
import type { Engine } from "../sql/engine.ts";
import { makeStore } from "../sql/make-store.ts";
import { migrate } from "../sql/migrate.ts";
import { MIGRATIONS } from "../sql/migrations/migrations.ts";
import type { Database } from "../sql/tables.ts";
import { MIGRATION_FIXTURES } from "./migration-fixtures.ts";

/** What migrations have to do on every kind of database; `openEmpty` gives one without tables each time. */
export function describeMigrations(name: string, openEmpty: () => Promise<Engine>): void {
  describe(`migrations on ${name}`, () => {
    it("have a fixture each", () => {
      expect(MIGRATION_FIXTURES).toHaveLength(MIGRATIONS.length);
    });

    it.each(MIGRATIONS.map((migration, index) => [index + 1, migration.name] as const))(
      "keep what was written in version %i (%s)",
      async (version) => {
        const engine = await openEmpty();
        const fixtures = MIGRATION_FIXTURES.slice(0, version);
        for (const [index, { rows }] of fixtures.entries()) {
          await run(engine.database, index + 1);
          for (const row of rows) await row.execute(engine.database);
        }
        await run(engine.database, MIGRATIONS.length);
        const store = makeStore(engine);
        for (const { read, expected } of fixtures) expect(await read(store)).toEqual(expected);
        await engine.database.destroy();
      },
    );
  });
}

function run(database: Database, version: number): Promise<void> {
  return migrate(database, { place: "store.db", migrations: MIGRATIONS.slice(0, version), nowMs: () => 0 });
}
