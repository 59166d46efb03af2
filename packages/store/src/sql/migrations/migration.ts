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
  readonly columns: Readonly<Record<string, ColumnKind>>;
  readonly key: readonly [string, ...string[]];
  readonly optional?: readonly string[];
}

/** Times and amounts are `double precision`, JavaScript's own number type. SQLite stores bytes in a column of any type. */
type ColumnKind = "text" | "integer" | "double precision" | "bytea";

export async function makeTable(schema: SchemaModule, name: string, { columns, key, optional = [] }: TableShape) {
  let table: CreateTableBuilder<string, string> = schema.createTable(name);
  for (const [column, kind] of Object.entries(columns)) {
    const isOptional = optional.includes(column);
    table = table.addColumn(column, kind, (definition) => (isOptional ? definition : definition.notNull()));
  }
  await table.addPrimaryKeyConstraint(`${name}Key`, [...key]).execute();
}
