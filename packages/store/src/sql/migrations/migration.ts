import type { QueryExecutorProvider, SchemaModule } from "kysely";

/** One step from an empty database to today's tables. It knows nothing of today's types, because it outlives them. */
export interface Migration {
  readonly name: string;
  run(database: MigratingDatabase): Promise<void>;
}

/** A database as migrations see it: tables are made through `schema`, rows by SQL, in which columns are in snake case. */
interface MigratingDatabase extends QueryExecutorProvider {
  readonly schema: SchemaModule;
}
