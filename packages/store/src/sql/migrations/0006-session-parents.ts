import type { Migration } from "./migration.ts";

/** Adds the session that started a sub-agent's session. */
export const sessionParents: Migration = {
  name: "session-parents",
  async run({ schema }) {
    for (const table of ["requests", "sessions"]) {
      await schema
        .alterTable(table)
        .addColumn("parent", "text", (column) => column.notNull().defaultTo(""))
        .execute();
    }
    await schema.createIndex("sessionsByParent").on("sessions").columns(["parent", "lastAtMs"]).execute();
  },
};
