import { LonghaulError } from "@longhaul/conversation";
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";

/** A connection that one at a time uses. */
export interface Connection {
  /** Only the query knows what its rows are. */
  execute(sql: string, parameters: readonly unknown[]): Promise<QueryResult<never>>;
  /** Gives it back; one that is in an unknown state is not to be used again. */
  release(isBroken: boolean): void;
}

/** What a kind of database has of its own. */
export interface Connections {
  acquire(): Promise<Connection>;
  /** The statement that begins a transaction. */
  readonly begin: string;
}

/** Kysely's way to any database. It opens nothing and closes nothing: who opened the connections does that. */
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
    throw new LonghaulError("internal.bug", "rows are not streamed; ask for pages");
  }

  async execute(sql: string): Promise<void> {
    await this.#connection.execute(sql, []);
  }

  /** Whoever rolls back has an error to tell already; that there is nothing to roll back any more would hide it. */
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
