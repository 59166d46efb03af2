import type { Expression, SqlBool, Transaction } from "kysely";
import type { ChangeKind } from "../contract/changes.ts";
import type { Database, Tables } from "./tables.ts";

/** A database with what its kind has of its own; everything else is the same SQL everywhere. */
export interface Engine {
  readonly database: Database;
  readonly nowMs: () => number;
  /** Whether a column has one of some texts; every kind of database has its own way to take thousands of them as one parameter. */
  readonly isAmong: (column: string, texts: readonly string[]) => Expression<SqlBool>;
  /** Tells those who listen, once the transaction is over. Where it is absent they look at the `revisions` themselves. */
  readonly notify?: (transaction: Transaction<Tables>, kind: ChangeKind) => Promise<void>;
}
