import { LonghaulError } from "@longhaul/conversation";
import { type CustomTypesConfig, DatabaseError, Pool, type PoolClient, types } from "pg";
import type { Connection, Connections } from "../sql/driver.ts";
import type { Address } from "./address.ts";
import { closeWithTimeout, type LivenessOptions, makeLivenessProbe, whileAlive } from "./liveness.ts";

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
  const { config, label } = address;
  const pool = new Pool({ ...config, max, connectionTimeoutMillis: CONNECT_MS, types: TYPES });
  // An idle connection that ends leaves the pool; one in use says so to whoever uses it. Without listeners, either ends the process.
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
        // A transaction in which a statement failed ends like this, without an error.
        if (sql === "commit" && command === "ROLLBACK") throw new Error("the transaction was rolled back");
        return rowCount === null || command === "SELECT" ? { rows } : { rows, numAffectedRows: BigInt(rowCount) };
      } catch (error) {
        // A statement that is refused is an ERROR; with anything worse the connection ends.
        isLost ||= !(error instanceof DatabaseError && error.severity === "ERROR");
        throw toStoreError(error, label);
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

/** Classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html, by what the operator can do about them. */
const ADVICE: readonly (readonly [code: RegExp, advice: string])[] = [
  [/^28/, "check the user and the password in its address"],
  [/^3D000$/, "create the database, or name another in its address"],
  [/^42501$/, "let its user create and change tables"],
  [/^42P07$/, "it has tables of another program; name a database of Longhaul's own"],
  [/^53300$/, "allow it more connections, or put a pooler before it"],
  [/^25006$/, "name the primary, not a replica that can only be read"],
];
const ELSE = "check that it runs and can be reached";
const DAMAGED = /^XX00[12]$/;

/** Says what PostgreSQL or the way to it refuses in our own words. */
export function toStoreError(error: unknown, label: string): unknown {
  if (error instanceof LonghaulError || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (DAMAGED.test(code)) {
    const message = `the database ${label} is damaged: ${error.message}. Restore a copy, or name another database`;
    return new LonghaulError("store.damaged", message, { cause: error });
  }
  const advice = ADVICE.find(([pattern]) => pattern.test(code))?.[1] ?? ELSE;
  const message = `the database ${label} cannot be used right now: ${reasonOf(error)}; ${advice}`;
  return new LonghaulError("store.unavailable", message, { cause: error });
}

/** A host of several addresses fails with one error for each, and no message of its own. */
function reasonOf(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((each) => String(each?.message ?? each)).join(", ");
  return error.message;
}
