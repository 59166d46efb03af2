import type { Migration } from "./migration.ts";

const COLUMNS = {
  sessions: ["title", "project", "branch", "client", "clientVersion", "keyId"],
  requests: ["errorMessage"],
} as const;

/** Adds what makes a session recognizable, and the messages of errors. */
export const sessionDescriptions: Migration = {
  name: "session-descriptions",
  async run({ schema }) {
    for (const [table, columns] of Object.entries(COLUMNS)) {
      for (const name of columns) {
        await schema
          .alterTable(table)
          .addColumn(name, "text", (column) => column.notNull().defaultTo(""))
          .execute();
      }
    }
  },
};
