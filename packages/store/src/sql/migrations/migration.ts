import type { CreateTableBuilder, QueryExecutorProvider, SchemaModule } from "kysely";

/** One step from an empty database to today's tables. It knows nothing of today's types, because it outlives them. */
export interface Migration {
  readonly name: string;
  run(database: MigratingDatabase): Promise<void>;
}

/** A database as migrations see it: tables are made through `schema`, rows by SQL, in which columns are in snake case. */
interface MigratingDatabase extends QueryExecutorProvider {
  readonly schema: SchemaModule;
}

/** A table as a migration makes it. */
export interface TableShape {
  /** In this order: wide ones stand last, so that a scan over the others doesn't read them. */
  readonly columns: Readonly<Record<string, ColumnKind>>;
  readonly key: readonly [string, ...string[]];
  /** Columns that may be null. */
  readonly optional?: readonly string[];
}

/**
 * What a column holds. Times and amounts are `double precision`, which is what a number is in JavaScript: it comes back as it went in,
 * from any database. SQLite keeps bytes in a column of any type.
 */
type ColumnKind = "text" | "integer" | "double precision" | "bytea";

/** Makes a table with its primary key. */
export async function makeTable(schema: SchemaModule, name: string, { columns, key, optional = [] }: TableShape) {
  let table: CreateTableBuilder<string, string> = schema.createTable(name);
  for (const [column, kind] of Object.entries(columns)) {
    const isOptional = optional.includes(column);
    table = table.addColumn(column, kind, (definition) => (isOptional ? definition : definition.notNull()));
  }
  await table.addPrimaryKeyConstraint(`${name}Key`, [...key]).execute();
}
