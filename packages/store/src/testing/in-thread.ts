import type { DatabaseSync } from "node:sqlite";
import type { SqliteConnection } from "../sqlite/connection.ts";
import { translated } from "../sqlite/sqlite-error.ts";
import { type Executed, makeStatements } from "../sqlite/statements.ts";

/** A connection whose database tests can reach, because it is in their own thread. */
export function inThread(database: DatabaseSync, path = ":memory:"): SqliteConnection {
  return {
    async execute(sql, parameters) {
      try {
        // Prepared anew every time: whoever wants to know which queries there are sees them all, in whatever order.
        return ofQuery(makeStatements(database)(sql, parameters));
      } catch (error) {
        throw translated(error, path);
      }
    },
    async close() {
      if (database.isOpen) database.close();
    },
  };
}

/** Only the query knows what its rows are. */
function ofQuery({ rows, ...executed }: Executed<unknown>): Executed<never> {
  return { ...executed, rows: rows.filter((_row): _row is never => true) };
}
