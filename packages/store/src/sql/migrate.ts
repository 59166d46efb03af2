import { LonghaulError } from "@longhaul/conversation";
import type { Migration } from "./migrations/migration.ts";
import type { Database } from "./tables.ts";

/** How a database is brought up to date. */
interface MigrateOptions {
  /** What messages call it. */
  readonly place: string;
  readonly migrations: readonly Migration[];
  readonly nowMs: () => number;
}

/** Runs the migrations that this database hasn't seen, all of them or none. Call it in a transaction that keeps other writers out. */
export async function migrate(database: Database, { place, migrations, nowMs }: MigrateOptions): Promise<void> {
  await database.schema
    .createTable("longhaulMigrations")
    .ifNotExists()
    .addColumn("number", "integer", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("ranAtMs", "double precision", (column) => column.notNull())
    .execute();
  const last = await database.selectFrom("longhaulMigrations").selectAll().orderBy("number", "desc").executeTakeFirst();
  const done = last?.number ?? 0;
  if (done > migrations.length) {
    throw new LonghaulError(
      "store.newer",
      `the database ${place} has migration ${done} ("${last?.name}") and this Longhaul knows ${migrations.length}; start the newer Longhaul that wrote it, or name another database`,
    );
  }
  for (const [index, { name, run }] of migrations.entries()) {
    if (index < done) continue;
    await run(database);
    await database
      .insertInto("longhaulMigrations")
      .values({ number: index + 1, name, ranAtMs: nowMs() })
      .execute();
  }
}
