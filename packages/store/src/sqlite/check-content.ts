import type { DatabaseSync } from "node:sqlite";
import { LonghaulError } from "@longhaul/conversation";
import { damaged } from "./sqlite-error.ts";

/** Refuses a database that is damaged or that another program made, before anything is written to it. */
export function checkContent(connection: DatabaseSync, path: string): void {
  const verdict = connection.prepare("pragma quick_check(1)").get()?.quick_check;
  if (verdict !== "ok") throw damaged(path, `its check says "${verdict}"`);
  const tables = connection.prepare("select name from sqlite_schema where type = 'table'").all();
  if (tables.length > 0 && !tables.some(({ name }) => name === "longhaul_migrations")) {
    throw new LonghaulError(
      "store.damaged",
      `the database ${path} has tables of another program; nothing was written to it. Name another file for Longhaul`,
    );
  }
}
