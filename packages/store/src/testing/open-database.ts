import { DatabaseSync } from "node:sqlite";
import { CamelCasePlugin, Kysely } from "kysely";
import type { Engine } from "../sql/engine.ts";
import { migrate } from "../sql/migrate.ts";
import { MIGRATIONS } from "../sql/migrations/migrations.ts";
import type { Database, Tables } from "../sql/tables.ts";
import { sqliteDialect } from "../sqlite/dialect.ts";
import { makeInsertRows } from "../sqlite/insert-rows.ts";
import { isAmong } from "../sqlite/is-among.ts";
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

/** A database with what SQLite has of its own, at the beginning of time. */
export function makeEngine(database: Database, fields: Partial<Engine> = {}): Engine {
  return { database, nowMs: () => 0, isAmong, insertRows: makeInsertRows(), ...fields };
}
