import { type CustomTypesConfig, DatabaseError, Pool, type PoolClient, types } from "pg";
import type { Connection, Connections } from "../sql/driver.ts";
import type { Address } from "./address.ts";
import { closing, makeSignOfLife, type Patience, whileAlive } from "./liveness.ts";
import { inOurWords } from "./postgres-error.ts";

/** How much of a server is used, and how long it is waited for. */
interface PoolLimits {
  readonly maxConnections: number;
  /** How long a single statement may take while the server lives. */
  readonly statementMs: number;
}

/** Connections to one database. */
export interface ConnectionPool extends Connections {
  close(): Promise<void>;
}

/** Together with a sign of life that does not come, less than two seconds. */
const SUSPECT_MS = 800;
const CONNECT_MS = 1_800;

/**
 * Opens a pool; nothing is sent yet. Connections hold no state from one transaction to the next, prepared statements included, so that a
 * pooler that hands servers out by transaction may stand in between.
 */
export function openPool(address: Address, { maxConnections: max, statementMs }: PoolLimits): ConnectionPool {
  const { config, place } = address;
  const pool = new Pool({ ...config, max, connectionTimeoutMillis: CONNECT_MS, types: TYPES });
  // An idle connection that ends leaves the pool; one in use says so to whoever uses it. Without listeners, either ends the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const patience = { suspectMs: SUSPECT_MS, limitMs: statementMs, isAlive: makeSignOfLife(address) };
  return {
    begin: "begin",
    async acquire() {
      const client = await pool.connect().catch((error: unknown) => {
        throw inOurWords(error, place);
      });
      return makeConnection(client, place, patience);
    },
    async close() {
      if (!pool.ending) await closing(pool.end());
    },
  };
}

function makeConnection(client: PoolClient, place: string, patience: Patience): Connection {
  let isLost = false;
  return {
    async execute(sql, parameters) {
      try {
        const { rows, rowCount, command } = await whileAlive(client.query<never>(sql, [...parameters]), patience);
        // A transaction in which a statement failed ends like this, without an error.
        if (sql === "commit" && command === "ROLLBACK") throw new Error("the transaction was rolled back");
        return rowCount === null || command === "SELECT" ? { rows } : { rows, numAffectedRows: BigInt(rowCount) };
      } catch (error) {
        // A statement that is refused is an ERROR; with anything worse the connection ends.
        isLost ||= !(error instanceof DatabaseError && error.severity === "ERROR");
        throw inOurWords(error, place);
      }
    },
    release: (isBroken) => client.release(isBroken || isLost),
  };
}

const { BYTEA, INT8, NUMERIC } = types.builtins;

/** How values come back: counts and sums as numbers and bytes as plain ones, as they do from SQLite. */
export const TYPES: CustomTypesConfig = {
  getTypeParser(oid, format) {
    const read = types.getTypeParser(oid, format);
    if (oid === INT8 || oid === NUMERIC) return Number;
    if (oid === BYTEA) return (text: string) => Uint8Array.from(read(text));
    return read;
  },
};
