import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Adds what each epoch was made from. Older ones prove nothing of that, so they are dropped: their conversations are condensed once more. */
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
