import type { Migration } from "./migration.ts";

/** Adds the number of marks that a reply copied. */
export const copiedMarks: Migration = {
  name: "copied-marks",
  async run({ schema }) {
    await schema
      .alterTable("requests")
      .addColumn("copiedMarks", "double precision", (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
