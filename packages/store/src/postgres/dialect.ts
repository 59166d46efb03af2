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

/** Kysely's PostgreSQL on connections of ours. */
export function postgresDialect(connections: Connections): Dialect {
  return {
    createDriver: () => new ConnectionsDriver(connections),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (database) => new PostgresIntrospector(database),
  };
}

/**
 * Whether a column has one of some texts: one parameter, however many they are. Of all ways to say so, this alone is looked up in an index
 * before the table was analyzed.
 */
export function isAmong(column: string, texts: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} = any(${texts}::text[])`;
}

/**
 * Inserts by one statement in which each column is one parameter, however many rows there are. Half as many bytes as rows of JSON, and less
 * than half the work for either side.
 */
export const insertRows: InsertRows = async (transaction, { table, finish }, rows) => {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first).filter((name) => isKeyOf(first, name));
  const values = columns.map((column) => expandColumn(rows.map((row): unknown => row[column])));
  return await finish(
    transaction
      .insertInto(table)
      .columns(columns)
      .expression(sql`select ${sql.join(values)}`),
  ).execute();
};

function isKeyOf<Row extends object>(row: Row, name: string): name is keyof Row & string {
  return name in row;
}

/** The values of one column, one by one: numbers as an array of the database's own, texts as JSON, which spells any of them. */
function expandColumn(values: readonly unknown[]): RawBuilder<unknown> {
  return typeof values[0] === "number"
    ? sql`unnest(${`{${values.join()}}`}::double precision[])`
    : sql`json_array_elements_text(${JSON.stringify(values.map(replaceLoneSurrogates))})`;
}

/** JSON has no place for half a character; as a parameter of its own it would be replaced too. */
function replaceLoneSurrogates(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/\p{Cs}/gu, "\uFFFD") : value;
}
