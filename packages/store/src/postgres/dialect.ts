import {
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  type SqlBool,
  sql,
} from "kysely";
import { type Connections, ConnectionsDriver } from "../sql/driver.ts";
import type { InsertRows } from "../sql/engine.ts";

export function postgresDialect(connections: Connections): Dialect {
  return {
    createDriver: () => new ConnectionsDriver(connections),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (database) => new PostgresIntrospector(database),
  };
}

/** Passes the values as one parameter. `= any` is the only form that uses the index before the table is analyzed. */
export function isAmong(column: string, texts: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} = any(${texts}::text[])`;
}

/** Inserts with one parameter per column: half the bytes of JSON rows, and less than half the work on both sides. */
export const insertRows: InsertRows = async (transaction, { table, finish }, rows) => {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first).filter((name): name is keyof typeof first & string => name in first);
  const values = columns.map((column) => expandColumn(rows.map((row): unknown => row[column])));
  return await finish(
    transaction
      .insertInto(table)
      .columns(columns)
      .expression(sql`select ${sql.join(values)}`),
  ).execute();
};

/** Expands a column's values to rows: numbers from an array, texts from JSON, which can hold any text. */
function expandColumn(values: readonly unknown[]): RawBuilder<unknown> {
  return typeof values[0] === "number"
    ? sql`unnest(${`{${values.join()}}`}::double precision[])`
    : sql`json_array_elements_text(${JSON.stringify(values.map(replaceLoneSurrogates))})`;
}

/** JSON cannot hold lone surrogates; as plain parameters they would be replaced too. */
function replaceLoneSurrogates(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/\p{Cs}/gu, "\uFFFD") : value;
}
