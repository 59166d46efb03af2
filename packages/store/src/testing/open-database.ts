import { DatabaseSync } from "node:sqlite";
import { CamelCasePlugin, Kysely } from "kysely";
import { vi } from "vitest";
import type { Engine } from "../sql/engine.ts";
import { MIGRATIONS, migrate } from "../sql/migrations/migrate.ts";
import type { Database, Tables } from "../sql/tables.ts";
import { type SqliteConnection, toStoreError } from "../sqlite/connection.ts";
import { isAmong, makeInsertRows, sqliteDialect } from "../sqlite/dialect.ts";
import { type Executed, makeStatements } from "../sqlite/statements.ts";

export function openEmptyDatabase(connection = new DatabaseSync(":memory:")): Database {
  return new Kysely<Tables>({
    dialect: sqliteDialect(inThread(connection)),
    plugins: [new CamelCasePlugin()],
  });
}

export async function openDatabase(connection?: DatabaseSync): Promise<Database> {
  const database = openEmptyDatabase(connection);
  await migrate(database, { label: ":memory:", migrations: MIGRATIONS, nowMs: () => 0 });
  return database;
}

export function makeEngine(database: Database, fields: Partial<Engine> = {}): Engine {
  return { database, nowMs: () => 0, isAmong, insertRows: makeInsertRows(), ...fields };
}

export async function readRevisions(database: Database): Promise<Record<string, number>> {
  const rows = await database.selectFrom("revisions").selectAll().execute();
  return Object.fromEntries(rows.map(({ kind, revision }) => [kind, revision]));
}

/** Returns SQLite's query plans for the queries that a function runs. */
export async function explainQueries(connection: DatabaseSync, run: () => Promise<unknown>): Promise<string[]> {
  const prepare = vi.spyOn(connection, "prepare");
  await run();
  const statements = prepare.mock.calls.map(([statement]) => statement);
  prepare.mockRestore();
  return statements.flatMap((statement) =>
    connection
      .prepare(`explain query plan ${statement}`)
      .all()
      .map(({ detail }) => String(detail)),
  );
}

/** A connection in the test's own thread, so that the test can reach its database. */
export function inThread(database: DatabaseSync, path = ":memory:"): SqliteConnection {
  return {
    async execute(sql, parameters) {
      try {
        // Prepares every time, so that a test that records queries sees all of them.
        return ofQuery(makeStatements(database)(sql, parameters));
      } catch (error) {
        throw toStoreError(error, path);
      }
    },
    async close() {
      if (database.isOpen) database.close();
    },
  };
}

/** Only the query knows the type of its rows. */
function ofQuery({ rows, ...executed }: Executed<unknown>): Executed<never> {
  return { ...executed, rows: rows.filter((_row): _row is never => true) };
}
