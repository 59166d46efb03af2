import type { Expression, InsertObject, InsertQueryBuilder, InsertResult, SqlBool, Transaction } from "kysely";
import type { ChangeKind } from "../contract/coordination.ts";
import type { Database, Tables } from "./tables.ts";

/** A database with what its kind has of its own; everything else is the same SQL everywhere. */
export interface Engine {
  readonly database: Database;
  readonly nowMs: () => number;
  /** Whether a column has one of some texts; every kind of database has its own way to take thousands of them as one parameter. */
  readonly isAmong: (column: string, texts: readonly string[]) => Expression<SqlBool>;
  readonly insertRows: InsertRows;
  /** Tells those who listen, once the transaction is over. Where it is absent they look at the `revisions` themselves. */
  readonly notify?: (transaction: Transaction<Tables>, kind: ChangeKind) => Promise<void>;
}

/** How many rows get into a table: each time the same statement, but for the rows. */
export interface Insertion<Table extends keyof Tables, Returned> {
  readonly table: Table;
  /** Says what becomes of rows that are there already, and what is returned. */
  finish(insert: InsertQueryBuilder<Tables, Table, InsertResult>): InsertQueryBuilder<Tables, Table, Returned>;
}

/**
 * Inserts rows that have the same columns, in their order, and tells what is returned for them. To spell thousands of parameters out takes
 * a gateway longer than all else that it does to keep an event; every kind of database has its own way around that.
 */
export type InsertRows = <Table extends keyof Tables, Returned>(
  transaction: Transaction<Tables>,
  insertion: Insertion<Table, Returned>,
  rows: readonly InsertObject<Tables, Table>[],
) => Promise<readonly Returned[]>;
