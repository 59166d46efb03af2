import type { Migration } from "./migration.ts";

/** Adds the models that a key may use. Earlier keys may use all. */
export const keyModels: Migration = {
  name: "key-models",
  async run({ schema }) {
    await schema
      .alterTable("keys")
      .addColumn("models", "text", (column) => column.notNull().defaultTo("[]"))
      .execute();
  },
};
