import { LonghaulError } from "@longhaul/conversation";
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";

export interface Connection {
  /** Only the query knows the type of its rows. */
  execute(sql: string, parameters: readonly unknown[]): Promise<QueryResult<never>>;
  /** Returns it to the pool, or drops it if it is in an unknown state. */
  release(isBroken: boolean): void;
}

export interface Connections {
  acquire(): Promise<Connection>;
  readonly begin: string;
}

/** Kysely's driver for any database. The owner of the connections opens and closes them. */
export class ConnectionsDriver implements Driver {
  readonly #connections: Connections;
  readonly #held = new WeakMap<DatabaseConnection, HeldConnection>();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const held = new HeldConnection(await this.#connections.acquire());
    this.#held.set(held, held);
    return held;
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#held.get(connection)?.execute(this.#connections.begin);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#held.get(connection)?.execute("commit");
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#held.get(connection)?.rollback();
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#held.get(connection)?.release();
  }

  async destroy(): Promise<void> {}
}

class HeldConnection implements DatabaseConnection {
  readonly #connection: Connection;
  #isBroken = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return await this.#connection.execute(sql, parameters);
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new LonghaulError("internal.bug", "streaming rows is not supported; query by page");
  }

  async execute(sql: string): Promise<void> {
    await this.#connection.execute(sql, []);
  }

  /** The caller already has an error to throw; a failed rollback must not hide it. */
  async rollback(): Promise<void> {
    try {
      await this.execute("rollback");
    } catch {
      this.#isBroken = true;
    }
  }

  release(): void {
    this.#connection.release(this.#isBroken);
  }
}
