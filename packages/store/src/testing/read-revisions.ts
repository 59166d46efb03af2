import type { Database } from "../sql/tables.ts";

/** How often each kind was changed. */
export async function readRevisions(database: Database): Promise<Record<string, number>> {
  const rows = await database.selectFrom("revisions").selectAll().execute();
  return Object.fromEntries(rows.map(({ kind, revision }) => [kind, revision]));
}
