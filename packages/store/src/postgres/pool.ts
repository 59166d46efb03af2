import { LonghaulError } from "@longhaul/conversation";
import { type CustomTypesConfig, DatabaseError, Pool, type PoolClient, types } from "pg";
import type { Connection, Connections } from "../sql/driver.ts";
import type { Address } from "./address.ts";
import { closeWithTimeout, type LivenessOptions, makeLivenessProbe, whileAlive } from "./liveness.ts";

export interface ConnectionPool extends Connections {
  close(): Promise<void>;
}

/** Together with a failed probe, less than two seconds. */
const SUSPECT_MS = 800;
const CONNECT_MS = 1_800;

/**
 * Opens a pool without connecting. Connections keep no state between transactions, so a transaction pooler may sit in between. One statement
 * may take `statementMs` while the server is alive.
 */
export function openPool(
  address: Address,
  { maxConnections: max, statementMs }: { maxConnections: number; statementMs: number },
): ConnectionPool {
  const { config, label } = address;
  const pool = new Pool({ ...config, max, connectionTimeoutMillis: CONNECT_MS, types: TYPES });
  // The pool drops connections that end; without listeners, their errors would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const liveness = { suspectMs: SUSPECT_MS, limitMs: statementMs, isAlive: makeLivenessProbe(address) };
  return {
    begin: "begin",
    async acquire() {
      const client = await pool.connect().catch((error: unknown) => {
        throw toStoreError(error, label);
      });
      return makeConnection(client, label, liveness);
    },
    async close() {
      if (!pool.ending) await closeWithTimeout(pool.end());
    },
  };
}

function makeConnection(client: PoolClient, label: string, liveness: LivenessOptions): Connection {
  let isLost = false;
  return {
    async execute(sql, parameters) {
      try {
        const { rows, rowCount, command } = await whileAlive(client.query<never>(sql, [...parameters]), liveness);
        // This is how a transaction with a failed statement ends, without an error.
        if (sql === "commit" && command === "ROLLBACK") throw new Error("the transaction was rolled back");
        return rowCount === null || command === "SELECT" ? { rows } : { rows, numAffectedRows: BigInt(rowCount) };
      } catch (error) {
        // A refused statement has severity ERROR; anything worse ends the connection.
        isLost ||= !(error instanceof DatabaseError && error.severity === "ERROR");
        throw toStoreError(error, label);
      }
    },
    release: (isBroken) => client.release(isBroken || isLost),
  };
}

const { BYTEA, INT8, NUMERIC } = types.builtins;

/** Reads counts and sums as numbers and bytes as plain arrays, like SQLite. */
export const TYPES: CustomTypesConfig = {
  getTypeParser(oid, format) {
    const read = types.getTypeParser(oid, format);
    if (oid === INT8 || oid === NUMERIC) return Number;
    if (oid === BYTEA) return (text: string) => Uint8Array.from(read(text));
    return read;
  },
};

/** Advice by error class or code (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const ADVICE: readonly (readonly [code: RegExp, advice: string])[] = [
  [/^28/, "check the user and the password in the URL"],
  [/^3D000$/, "create the database, or use another one"],
  [/^42501$/, "allow the user to create and change tables"],
  [/^42P07$/, "it has another program's tables; use a separate database for Longhaul"],
  [/^53300$/, "allow more connections, or put a pooler in front"],
  [/^25006$/, "use the primary, not a read-only replica"],
];
const ELSE = "check that it is running and reachable";
const DAMAGED = /^XX00[12]$/;

export function toStoreError(error: unknown, label: string): unknown {
  if (error instanceof LonghaulError || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (DAMAGED.test(code)) {
    const message = `the database ${label} is damaged: ${error.message}. Restore a backup, or use another database`;
    return new LonghaulError("store.damaged", message, { cause: error });
  }
  const advice = ADVICE.find(([pattern]) => pattern.test(code))?.[1] ?? ELSE;
  const message = `the database ${label} is unavailable: ${reasonOf(error)}; ${advice}`;
  return new LonghaulError("store.unavailable", message, { cause: error });
}

/** A host with several addresses fails with one error for each and no message of its own. */
function reasonOf(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((each) => String(each?.message ?? each)).join(", ");
  return error.message;
}
