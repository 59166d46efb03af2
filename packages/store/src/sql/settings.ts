import { isJsonValue, type JsonValue } from "@longhaul/conversation/advanced";
import type { Transaction } from "kysely";
import type {
  HistoryPage,
  Presets,
  SettingEntry,
  SettingRecord,
  SettingsChange,
  SettingsState,
  StoredPreset,
  StoredSettings,
} from "../contract/settings.ts";
import { bumpRevision } from "./coordination.ts";
import type { Engine } from "./engine.ts";
import {
  type Database,
  type PresetRow,
  readJson,
  readJsonObject,
  type SettingChangeRow,
  type Tables,
} from "./tables.ts";

/** A value that cannot be parsed counts as not set. */
export function makeSettings({ database, notify }: Engine): StoredSettings {
  return {
    load: () => load(database),
    change: (change) =>
      database.transaction().execute(async (transaction) => {
        const revision = await bumpRevision(transaction, { kind: "settings", ifRevision: change.ifRevision, notify });
        if (revision !== undefined) await applyChange(transaction, revision, change);
        return revision;
      }),
    async history(page) {
      const rows = await selectHistory(database, page).execute();
      return rows.map(recordOf).sort((a, b) => b.revision - a.revision || (a.path < b.path ? -1 : 1));
    },
  };
}

/** One query, because two could see different revisions. */
async function load(database: Database): Promise<SettingsState> {
  const rows = await database
    .selectFrom("revisions")
    .leftJoin("settings", (join) => join.onTrue())
    .select(["revisions.revision", "settings.path", "settings.value"])
    .where("revisions.kind", "=", "settings")
    .execute();
  const values = rows.flatMap(({ path, value }) => {
    const read = readValue(value);
    return path === null || read === undefined ? [] : [[path, read] as const];
  });
  return { revision: rows[0]?.revision ?? 0, values: Object.fromEntries(values) };
}

async function applyChange(transaction: Transaction<Tables>, revision: number, change: SettingsChange): Promise<void> {
  const lastOfEach = new Map(change.entries.map((entry) => [entry.path, entry]));
  for (const entry of lastOfEach.values()) {
    const { path, isSecret = false } = entry;
    const known = await transaction.selectFrom("settings").select("value").where("path", "=", path).executeTakeFirst();
    await transaction
      .insertInto("settingChanges")
      .values({
        revision,
        path,
        isSecret: isSecret ? 1 : 0,
        by: change.by,
        atMs: change.atMs,
        before: isSecret ? null : (known?.value ?? null),
        after: isSecret || entry.value === undefined ? null : JSON.stringify(entry.value),
      })
      .execute();
    await setValue(transaction, entry);
  }
}

async function setValue(transaction: Transaction<Tables>, { path, value: given }: SettingEntry): Promise<void> {
  if (given === undefined) {
    await transaction.deleteFrom("settings").where("path", "=", path).execute();
    return;
  }
  const value = JSON.stringify(given);
  await transaction
    .insertInto("settings")
    .values({ path, value })
    .onConflict((conflict) => conflict.column("path").doUpdateSet({ value }))
    .execute();
}

/** A page is a number of revisions, so that changes of one revision stay together. */
function selectHistory(database: Database, { limit, beforeRevision, path }: HistoryPage) {
  let revisions = database
    .selectFrom("settingChanges")
    .select("revision")
    .distinct()
    .orderBy("revision", "desc")
    .limit(limit);
  if (beforeRevision !== undefined) revisions = revisions.where("revision", "<", beforeRevision);
  if (path !== undefined) revisions = revisions.where("path", "=", path);
  const changes = database.selectFrom("settingChanges").selectAll().where("revision", "in", revisions);
  return path === undefined ? changes : changes.where("path", "=", path);
}

function recordOf({ isSecret, before, after, ...row }: SettingChangeRow): SettingRecord {
  const readBefore = readValue(before);
  const readAfter = readValue(after);
  return {
    ...row,
    isSecret: isSecret === 1,
    ...(readBefore === undefined ? {} : { before: readBefore }),
    ...(readAfter === undefined ? {} : { after: readAfter }),
  };
}

function readValue(json: string | null): JsonValue | undefined {
  if (json === null) return undefined;
  const value = readJson(json);
  return isJsonValue(value) ? value : undefined;
}

export function makePresets({ database, notify }: Engine): Presets {
  return {
    async list() {
      const rows = await database.selectFrom("presets").selectAll().execute();
      // Sorted here, because databases sort text differently.
      return rows.map(presetOf).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async find(name) {
      const row = await database.selectFrom("presets").selectAll().where("name", "=", name).executeTakeFirst();
      return row && presetOf(row);
    },
    async put(preset) {
      const row = { ...preset, config: JSON.stringify(preset.config) };
      await database.transaction().execute(async (transaction) => {
        await transaction
          .insertInto("presets")
          .values(row)
          .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
          .execute();
        await bumpRevision(transaction, { kind: "presets", notify });
      });
    },
    remove: (name) =>
      database.transaction().execute(async (transaction) => {
        const removed = await transaction.deleteFrom("presets").where("name", "=", name).executeTakeFirstOrThrow();
        if (removed.numDeletedRows === 0n) return false;
        await bumpRevision(transaction, { kind: "presets", notify });
        return true;
      }),
  };
}

function presetOf({ config, ...row }: PresetRow): StoredPreset {
  return { ...row, config: readJsonObject(config) };
}
