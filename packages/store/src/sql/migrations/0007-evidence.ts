import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Adds the evidence of each epoch. Older epochs have none, so they are deleted and their conversations condensed again. */
export const evidence: Migration = {
  name: "evidence",
  async run(database) {
    const { schema } = database;
    await sql`delete from epochs`.execute(database);
    for (const column of ["bound", "evidence"]) {
      await schema
        .alterTable("epochs")
        .addColumn(column, "text", (definition) => definition.notNull().defaultTo(""))
        .execute();
    }
    await schema.createIndex("epochsByBound").on("epochs").columns(["scope", "bound"]).execute();
  },
};
