import type { CreateTableBuilder, QueryExecutorProvider, SchemaModule } from "kysely";

/** One step from an empty database to the current tables. It does not use the current types, because they change later. */
export interface Migration {
  readonly name: string;
  run(database: MigratingDatabase): Promise<void>;
}

/** A database as migrations see it: tables are created through `schema`, rows with SQL, where columns are in snake case. */
interface MigratingDatabase extends QueryExecutorProvider {
  readonly schema: SchemaModule;
}

export interface TableShape {
  /** In this order: wide columns last, so that a scan of the others does not read them. */
  readonly columns: readonly Column[];
  readonly key: readonly [string, ...string[]];
  readonly optional?: readonly string[];
}

type Column = readonly [name: string, kind: "text" | "integer" | "double precision" | "bytea"];

export const texts = columnsOf("text");
export const integers = columnsOf("integer");
/** Times and amounts, in JavaScript's own number type. */
export const numbers = columnsOf("double precision");
/** SQLite stores bytes in a column of any type. */
export const bytes = columnsOf("bytea");

function columnsOf(kind: Column[1]) {
  return (...names: readonly string[]): readonly Column[] => names.map((name) => [name, kind]);
}

export async function makeTable(schema: SchemaModule, table: string, { columns, key, optional = [] }: TableShape) {
  let created: CreateTableBuilder<string, string> = schema.createTable(table);
  for (const [name, kind] of columns)
    created = created.addColumn(name, kind, (column) => (optional.includes(name) ? column : column.notNull()));
  await created.addPrimaryKeyConstraint(`${table}Key`, [...key]).execute();
}
