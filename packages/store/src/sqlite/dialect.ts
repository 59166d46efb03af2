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

/**
 * Kysely's SQLite on a connection of ours, which its adapter gives to one at a time. `settle` is called before it is given to the next; it
 * may not reject, or the adapter would never give the connection to anybody again.
 */
export function sqliteDialect(connection: SqliteConnection, beforeAcquire = async () => {}): Dialect {
  const held = toConnection(connection);
  const acquire = async () => {
    await beforeAcquire();
    return held;
  };
  // A transaction that begins by reading and finds another process writing is refused at once, without the busy timeout.
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
  throw new LonghaulError("internal.bug", `SQLite is given texts, numbers and bytes, not ${typeof value}`);
}

/** Whether a column has one of some texts: one parameter, however many they are. */
export function isAmong(column: string, texts: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(texts)}))`;
}

/** Inserts by statements that are spelled once for each insertion and number of rows. To read rows out of JSON takes SQLite five times as long. */
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

/** Columns stand in a statement as they do in its first row. */
function statementOf(compiled: CompiledQuery, rows: readonly object[]): Statement {
  const columns = Object.keys(rows[0] ?? {});
  return { compiled, columns, rest: compiled.parameters.slice(columns.length * rows.length) };
}

function withRows({ compiled, columns, rest }: Statement, rows: readonly object[]): CompiledQuery {
  const parameters = rows.flatMap((row) => columns.map((column): unknown => Reflect.get(row, column)));
  return { ...compiled, parameters: [...parameters, ...rest] };
}

/** Rows of one statement: enough to be fast, and few enough parameters for every database. */
const MAX_ROWS = 64;

/**
 * Rows in chunks to be inserted by one statement each. Sizes are powers of two, so that few statements differ: each is prepared once and
 * kept.
 */
export function inChunks<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const chunks: (readonly Row[])[] = [];
  let from = 0;
  for (let size = MAX_ROWS; size >= 1; size /= 2) {
    for (; from + size <= rows.length; from += size) chunks.push(rows.slice(from, from + size));
  }
  return chunks;
}
