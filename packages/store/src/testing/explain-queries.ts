import type { DatabaseSync } from "node:sqlite";
import { vi } from "vitest";

/** How SQLite carries out the queries that a function prepares, step by step. */
export async function explainQueries(connection: DatabaseSync, run: () => Promise<unknown>): Promise<string[]> {
  const prepare = vi.spyOn(connection, "prepare");
  await run();
  const statements = prepare.mock.calls.map(([statement]) => statement);
  prepare.mockRestore();
  return statements.flatMap((statement) =>
    connection
      .prepare(`explain query plan ${statement}`)
      .all()
      .map(({ detail }) => String(detail)),
  );
}
