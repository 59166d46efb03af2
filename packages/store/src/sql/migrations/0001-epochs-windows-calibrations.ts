import type { Migration } from "./migration.ts";

/** Times and amounts are `double precision`, JavaScript's own number type, so every database returns them unchanged. */
const NUMBER = "double precision";

/** The first tables. Wide columns come last, so that a scan of the others does not read them. */
export const epochsWindowsCalibrations: Migration = {
  name: "epochs, windows, calibrations",
  async run({ schema }) {
    await schema
      .createTable("epochs")
      .addColumn("scope", "text", (column) => column.notNull())
      .addColumn("prefix", "text", (column) => column.notNull())
      .addColumn("version", "integer", (column) => column.notNull())
      .addColumn("isStandIn", "integer", (column) => column.notNull())
      .addColumn("from", "integer", (column) => column.notNull())
      .addColumn("messages", "integer", (column) => column.notNull())
      .addColumn("usedAtMs", NUMBER, (column) => column.notNull())
      .addColumn("madeAtMs", NUMBER, (column) => column.notNull())
      .addColumn("tokensBefore", NUMBER, (column) => column.notNull())
      .addColumn("tokensAfter", NUMBER, (column) => column.notNull())
      .addColumn("targetTokens", NUMBER, (column) => column.notNull())
      .addColumn("costUsd", NUMBER, (column) => column.notNull())
      .addColumn("tenant", "text", (column) => column.notNull())
      .addColumn("session", "text", (column) => column.notNull())
      .addColumn("upstream", "text", (column) => column.notNull())
      .addColumn("model", "text", (column) => column.notNull())
      .addColumn("strategy", "text", (column) => column.notNull())
      .addColumn("projection", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("epochsKey", ["scope", "prefix"])
      .execute();
    await schema.createIndex("epochsBySession").on("epochs").column("session").execute();
    await schema
      .createTable("windows")
      .addColumn("upstream", "text", (column) => column.notNull())
      .addColumn("credential", "text", (column) => column.notNull())
      .addColumn("model", "text", (column) => column.notNull())
      .addColumn("windowTokens", NUMBER, (column) => column.notNull())
      .addColumn("learnedAtMs", NUMBER, (column) => column.notNull())
      .addPrimaryKeyConstraint("windowsKey", ["upstream", "credential", "model"])
      .execute();
    await schema
      .createTable("calibrations")
      .addColumn("upstream", "text", (column) => column.notNull())
      .addColumn("model", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("calibrationsKey", ["upstream", "model"])
      .execute();
  },
};
