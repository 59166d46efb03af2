import type { SQLInputValue } from "node:sqlite";
import { LonghaulError } from "@longhaul/conversation";
import {
  type CompiledQuery,
  type Dialect,
  type RawBuilder,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import { type Connection, ConnectionsDriver } from "../sql/driver.ts";
import type { Insertion, InsertRows } from "../sql/engine.ts";
import type { Tables } from "../sql/tables.ts";
import type { SqliteConnection } from "./connection.ts";

/** `beforeAcquire` runs before each use and must not reject: Kysely's adapter would never give out the connection again. */
export function sqliteDialect(connection: SqliteConnection, beforeAcquire = async () => {}): Dialect {
  const held = toConnection(connection);
  const acquire = async () => {
    await beforeAcquire();
    return held;
  };
  // A transaction that starts with a read fails at once, without the busy timeout, if another process is writing.
  const connections = { begin: "begin immediate", acquire };
  return {
    createDriver: () => new ConnectionsDriver(connections),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (database) => new SqliteIntrospector(database),
  };
}

function toConnection(connection: SqliteConnection): Connection {
  return {
    async execute(sql, parameters) {
      const { rows, changes } = await connection.execute(sql, parameters.map(toSqliteValue));
      return changes === undefined ? { rows } : { rows, numAffectedRows: BigInt(changes) };
    },
    release() {},
  };
}

function toSqliteValue(value: unknown): SQLInputValue {
  if (typeof value === "string" || typeof value === "number" || value === null) return value;
  if (value instanceof Uint8Array) return value;
  throw new LonghaulError("internal.bug", `SQLite parameters must be strings, numbers or bytes, not ${typeof value}`);
}

export function isAmong(column: string, texts: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(texts)}))`;
}

/** Builds statements once for each insertion and number of rows. Reading rows from JSON takes SQLite five times as long. */
export function makeInsertRows(): InsertRows {
  const statements = new Map<object, Map<number, Statement>>();
  return async (transaction, insertion, rows) => {
    const bySize = statements.get(insertion) ?? new Map<number, Statement>();
    statements.set(insertion, bySize);
    const build = (chunk: typeof rows) => insertion.finish(transaction.insertInto(insertion.table).values(chunk));
    const returned = [];
    for (const chunk of inChunks(rows)) {
      const statement = bySize.get(chunk.length) ?? statementOf(build(chunk).compile(), chunk);
      bySize.set(chunk.length, statement);
      const query: CompiledQuery<ReturnedBy<typeof insertion>> = withRows(statement, chunk);
      returned.push(...(await transaction.executeQuery(query)).rows);
    }
    return returned;
  };
}

type ReturnedBy<I> = I extends Insertion<keyof Tables, infer Returned> ? Returned : never;

interface Statement {
  readonly compiled: CompiledQuery;
  readonly columns: readonly string[];
  /** Parameters after those of the rows. */
  readonly rest: readonly unknown[];
}

/** A statement has its columns in the order of the first row. */
function statementOf(compiled: CompiledQuery, rows: readonly object[]): Statement {
  const columns = Object.keys(rows[0] ?? {});
  return { compiled, columns, rest: compiled.parameters.slice(columns.length * rows.length) };
}

function withRows({ compiled, columns, rest }: Statement, rows: readonly object[]): CompiledQuery {
  const parameters = rows.flatMap((row) => columns.map((column): unknown => Reflect.get(row, column)));
  return { ...compiled, parameters: [...parameters, ...rest] };
}

/** Enough rows to be fast, and few enough parameters for every SQLite. */
const MAX_ROWS = 64;

/** Splits rows into chunks, one statement each. Sizes are powers of two, so that few statements are prepared. */
export function inChunks<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const chunks: (readonly Row[])[] = [];
  let from = 0;
  for (let size = MAX_ROWS; size >= 1; size /= 2) {
    for (; from + size <= rows.length; from += size) chunks.push(rows.slice(from, from + size));
  }
  return chunks;
}
