import type { SQLInputValue } from "node:sqlite";
import type { Executed } from "./statements.ts";

/** What the thread with the database is asked to do, in order. */
export type ToDatabase = { readonly id: number } & (
  | { readonly kind: "open"; readonly path: string; readonly busyTimeoutMs: number }
  | { readonly kind: "execute"; readonly sql: string; readonly parameters: readonly SQLInputValue[] }
  | { readonly kind: "close" }
);

/** What came of it. */
export type FromDatabase<Row> = { readonly id: number } & (
  | { readonly kind: "done"; readonly executed: Executed<Row> }
  | { readonly kind: "failed"; readonly failure: Failure }
);

/** An error of Node or SQLite; of an error's own fields, no thread gets to see more than its message. */
export interface Failure {
  readonly message: string;
  readonly code?: unknown;
  readonly errcode?: unknown;
}
