import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { LonghaulError } from "@longhaul/conversation";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from "kysely";
import { inOurWords } from "./sqlite-error.ts";

/** Kysely's SQLite on Node's own, with transactions that wait for their turn to write where they begin. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;

  constructor(database: DatabaseSync, path: string) {
    const adapted = adapt(database, path);
    super({ database: adapted });
    this.#database = adapted;
  }

  override createDriver(): Driver {
    return new ImmediateDriver({ database: this.#database });
  }
}

class ImmediateDriver extends SqliteDriver {
  // A transaction that begins by reading and finds another process writing is refused at once, without the busy timeout.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}

/** Statements are prepared once: the queries are few, since lists of any length go in as one parameter. */
function adapt(database: DatabaseSync, path: string): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => inOurWords(path, () => database.close()),
    prepare(sql) {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      const statement = inOurWords(path, () => prepare(database, sql, path));
      statements.set(sql, statement);
      return statement;
    },
  };
}

function prepare(database: DatabaseSync, sql: string, path: string): SqliteStatement {
  const statement = database.prepare(sql);
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => inOurWords(path, () => statement.all(...parameters.map(asInput))),
    run: (parameters) => inOurWords(path, () => statement.run(...parameters.map(asInput))),
    iterate: (parameters) => inOurWords(path, () => statement.iterate(...parameters.map(asInput))),
  };
}

function asInput(value: unknown): SQLInputValue {
  if (typeof value === "string" || typeof value === "number" || value === null) return value;
  if (value instanceof Uint8Array) return value;
  throw new LonghaulError("internal.bug", `SQLite is given texts, numbers and bytes, not ${typeof value}`);
}
