import { LonghaulError } from "@longhaul/conversation";
import type { SqliteConnection } from "./connection.ts";
import { damaged } from "./sqlite-error.ts";

/** Refuses a database that is damaged or that another program made, before anything is written to it. */
export async function checkContent(connection: SqliteConnection, path: string): Promise<void> {
  const [verdict] = await textsOf(connection, "pragma quick_check(1)");
  if (verdict !== "ok") throw damaged(path, `its check says "${verdict}"`);
  const tables = await textsOf(connection, "select name from sqlite_schema where type = 'table'");
  if (tables.length > 0 && !tables.includes("longhaul_migrations")) {
    throw new LonghaulError(
      "store.damaged",
      `the database ${path} has tables of another program; nothing was written to it. Name another file for Longhaul`,
    );
  }
}

/** The first column. */
async function textsOf(connection: SqliteConnection, sql: string): Promise<unknown[]> {
  const { rows }: { rows: object[] } = await connection.execute(sql, []);
  return rows.map((row) => Object.values(row)[0]);
}
