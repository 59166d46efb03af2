import type { Expression, InsertObject, InsertQueryBuilder, InsertResult, SqlBool, Transaction } from "kysely";
import type { ChangeKind } from "../contract/coordination.ts";
import type { Database, Tables } from "./tables.ts";

/** A database with the parts that SQLite and PostgreSQL do differently; all other SQL is shared. */
export interface Engine {
  readonly database: Database;
  readonly nowMs: () => number;
  /** Whether a column has one of up to thousands of values, passed as one parameter. */
  readonly isAmong: (column: string, texts: readonly string[]) => Expression<SqlBool>;
  readonly insertRows: InsertRows;
  /** Notifies listeners when the transaction commits. If absent, they poll `revisions`. */
  readonly notify?: (transaction: Transaction<Tables>, kind: ChangeKind) => Promise<void>;
}

/** A prepared way to insert rows: the statement stays the same, only the rows differ. */
export interface Insertion<Table extends keyof Tables, Returned> {
  readonly table: Table;
  /** Adds the conflict clause and the returned columns. */
  finish(insert: InsertQueryBuilder<Tables, Table, InsertResult>): InsertQueryBuilder<Tables, Table, Returned>;
}

/**
 * Inserts rows with the same columns in the same order, and returns the rows of the `returning` clause. Building thousands of parameters
 * would take longer than everything else about recording an event, so each database has its own shortcut.
 */
export type InsertRows = <Table extends keyof Tables, Returned>(
  transaction: Transaction<Tables>,
  insertion: Insertion<Table, Returned>,
  rows: readonly InsertObject<Tables, Table>[],
) => Promise<readonly Returned[]>;
