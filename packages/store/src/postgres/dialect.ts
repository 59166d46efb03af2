import { type Dialect, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import { type Connections, ConnectionsDriver } from "../sql/driver.ts";

/** Kysely's PostgreSQL on connections of ours. */
export function postgresDialect(connections: Connections): Dialect {
  return {
    createDriver: () => new ConnectionsDriver(connections),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (database) => new PostgresIntrospector(database),
  };
}
