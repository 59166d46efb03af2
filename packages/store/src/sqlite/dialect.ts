import type { SQLInputValue } from "node:sqlite";
import { LonghaulError } from "@longhaul/conversation";
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { type Connection, ConnectionsDriver } from "../sql/driver.ts";
import type { SqliteConnection } from "./connection.ts";

/**
 * Kysely's SQLite on a connection of ours, which its adapter gives to one at a time. `settle` is called before it is given to the next; it
 * may not reject, or the adapter would never give the connection to anybody again.
 */
export function sqliteDialect(connection: SqliteConnection, settle = async () => {}): Dialect {
  const held = heldBy(connection);
  const acquire = async () => {
    await settle();
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

function heldBy(connection: SqliteConnection): Connection {
  return {
    async execute(sql, parameters) {
      const { rows, changes } = await connection.execute(sql, parameters.map(asInput));
      return changes === undefined ? { rows } : { rows, numAffectedRows: BigInt(changes) };
    },
    release() {},
  };
}

function asInput(value: unknown): SQLInputValue {
  if (typeof value === "string" || typeof value === "number" || value === null) return value;
  if (value instanceof Uint8Array) return value;
  throw new LonghaulError("internal.bug", `SQLite is given texts, numbers and bytes, not ${typeof value}`);
}
