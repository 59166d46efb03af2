import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** What a statement came to: the rows it returns, or how many it changed. */
export interface Executed<Row> {
  readonly rows: Row[];
  readonly changes?: number;
}

/** Carries out statements. They are prepared once: the queries are few, since lists of any length go in as one parameter. */
export type Execute = (sql: string, parameters: readonly SQLInputValue[]) => Executed<unknown>;

/** The statements of a database. */
export function makeStatements(database: DatabaseSync): Execute {
  const prepared = new Map<string, StatementSync>();
  return (sql, parameters) => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    if (statement.columns().length > 0) return { rows: statement.all(...parameters) };
    return { rows: [], changes: Number(statement.run(...parameters).changes) };
  };
}
