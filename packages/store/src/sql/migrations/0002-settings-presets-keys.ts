import { sql } from "kysely";
import { integers, type Migration, makeTable, numbers, type TableShape, texts } from "./migration.ts";

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

const REVISIONS: TableShape = { columns: [...texts("kind"), ...numbers("revision")], key: ["kind"] };

const SETTINGS: TableShape = { columns: [...texts("path", "value")], key: ["path"] };

const SETTING_CHANGES: TableShape = {
  columns: [
    ...numbers("revision"),
    ...texts("path"),
    ...integers("isSecret"),
    ...texts("by"),
    ...numbers("atMs"),
    ...texts("before", "after"),
  ],
  key: ["revision", "path"],
  optional: ["before", "after"],
};

const PRESETS: TableShape = {
  columns: [...texts("name", "description", "strategy"), ...numbers("changedAtMs"), ...texts("config")],
  key: ["name"],
};

const KEYS: TableShape = {
  columns: [
    ...texts("id", "name", "hash", "hint", "tenant"),
    ...numbers("requestsPerMinute", "concurrent", "usdPerDay", "usdPerMonth", "createdAtMs", "revokedAtMs"),
    ...texts("context"),
  ],
  key: ["id"],
  optional: ["requestsPerMinute", "concurrent", "usdPerDay", "usdPerMonth", "revokedAtMs"],
};
