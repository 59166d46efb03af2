import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** The result of a statement: its rows, or how many rows it changed. */
export interface Executed<Row> {
  readonly rows: Row[];
  readonly changes?: number;
}

/** Runs a statement. Each is prepared once; they are few, because lists are passed as one parameter. */
export type Execute = (sql: string, parameters: readonly SQLInputValue[]) => Executed<unknown>;

export function makeStatements(database: DatabaseSync): Execute {
  const prepared = new Map<string, StatementSync>();
  return (sql, parameters) => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    if (statement.columns().length > 0) return { rows: statement.all(...parameters) };
    return { rows: [], changes: Number(statement.run(...parameters).changes) };
  };
}
