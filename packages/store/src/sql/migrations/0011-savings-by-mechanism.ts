import type { Migration } from "./migration.ts";

/** Adds what deduplication and the vendor's prompt cache saved. Earlier requests count as condensed. */
export const savingsByMechanism: Migration = {
  name: "savings-by-mechanism",
  async run({ schema }) {
    for (const table of ["requests", "totals"]) {
      for (const name of ["deduplicatedUsd", "cachedUsd"]) {
        await schema
          .alterTable(table)
          .addColumn(name, "double precision", (column) => column.notNull().defaultTo(0))
          .execute();
      }
    }
  },
};
