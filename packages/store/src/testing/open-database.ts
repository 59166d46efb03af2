import { DatabaseSync } from "node:sqlite";
import { CamelCasePlugin, Kysely } from "kysely";
import { migrate } from "../sql/migrate.ts";
import { MIGRATIONS } from "../sql/migrations/migrations.ts";
import type { Database, Tables } from "../sql/tables.ts";
import { sqliteDialect } from "../sqlite/dialect.ts";
import { inThread } from "./in-thread.ts";

/** A database in memory, without tables. */
export function openEmptyDatabase(connection = new DatabaseSync(":memory:")): Database {
  return new Kysely<Tables>({
    dialect: sqliteDialect(inThread(connection)),
    plugins: [new CamelCasePlugin()],
  });
}

/** A database in memory with today's tables. */
export async function openDatabase(connection?: DatabaseSync): Promise<Database> {
  const database = openEmptyDatabase(connection);
  await migrate(database, { place: ":memory:", migrations: MIGRATIONS, nowMs: () => 0 });
  return database;
}
