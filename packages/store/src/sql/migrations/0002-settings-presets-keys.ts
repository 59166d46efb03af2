import { sql } from "kysely";
import { type Migration, makeTable, type TableShape } from "./migration.ts";

/** The operator's settings, presets and keys; `revisions` counts changes to each. */
export const settingsPresetsKeys: Migration = {
  name: "settings, presets, keys",
  async run(database) {
    const { schema } = database;
    await makeTable(schema, "revisions", REVISIONS);
    await sql`insert into revisions (kind, revision) values ('settings', 0), ('presets', 0), ('keys', 0)`.execute(
      database,
    );
    await makeTable(schema, "settings", SETTINGS);
    await makeTable(schema, "settingChanges", SETTING_CHANGES);
    await makeTable(schema, "presets", PRESETS);
    await makeTable(schema, "keys", KEYS);
    await schema.createIndex("keysByHash").on("keys").column("hash").unique().execute();
  },
};

const REVISIONS: TableShape = { columns: { kind: "text", revision: "double precision" }, key: ["kind"] };

const SETTINGS: TableShape = { columns: { path: "text", value: "text" }, key: ["path"] };

const SETTING_CHANGES: TableShape = {
  columns: {
    revision: "double precision",
    path: "text",
    isSecret: "integer",
    by: "text",
    atMs: "double precision",
    before: "text",
    after: "text",
  },
  key: ["revision", "path"],
  optional: ["before", "after"],
};

const PRESETS: TableShape = {
  columns: { name: "text", description: "text", strategy: "text", changedAtMs: "double precision", config: "text" },
  key: ["name"],
};

const KEYS: TableShape = {
  columns: {
    id: "text",
    name: "text",
    hash: "text",
    hint: "text",
    tenant: "text",
    requestsPerMinute: "double precision",
    concurrent: "double precision",
    usdPerDay: "double precision",
    usdPerMonth: "double precision",
    createdAtMs: "double precision",
    revokedAtMs: "double precision",
    context: "text",
  },
  key: ["id"],
  optional: ["requestsPerMinute", "concurrent", "usdPerDay", "usdPerMonth", "revokedAtMs"],
};
