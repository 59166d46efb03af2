import {
  findSetting,
  importRoo,
  listSettingGroups,
  listSettings,
  parsePath,
  readSettings,
  type SettingEntry,
  singleEntries,
  writeSettings,
} from "@longhaul/settings";
import type { z } from "zod";
import {
  historyQuerySchema,
  historySchema,
  importedSchema,
  importSchema,
  settingSpecsSchema,
  settingsChangedSchema,
  settingsChangeSchema,
  settingsSchema,
  undoSchema,
} from "../api/settings.ts";
import type { LiveSettings } from "../host/live-settings.ts";
import { type AdminContext, type Route, route, sendFile } from "./route.ts";

const IMPORT_BYTES = 16 * 1024 * 1024;

export const SETTINGS_ROUTES: readonly Route[] = [
  route("GET", "/settings", {
    summary: "Lists each setting's effective value and its source.",
    answer: settingsSchema,
    run: async (_, { settings }) => ({
      revision: settings.revision,
      groups: [...listSettingGroups()],
      settings: settings.effective().map(({ setting, ...held }) => ({ ...setting, ...held })),
      leftOut: [...settings.layered.leftOut],
      warnings: [...settings.layered.warnings],
    }),
  }),
  route("GET", "/settings/specs", {
    summary: "Lists every possible setting, with `*` for user-defined names.",
    answer: settingSpecsSchema,
    run: async () => ({ groups: [...listSettingGroups()], settings: [...listSettings()] }),
  }),
  route("PATCH", "/settings", {
    summary: "Changes settings, all or none, and applies them at once.",
    body: settingsChangeSchema,
    answer: settingsChangedSchema,
    run: ({ body }, context) => changeAsAdmin(context, body),
  }),
  route("GET", "/settings/history", {
    summary: "Lists past changes, latest first.",
    query: historyQuerySchema,
    answer: historySchema,
    run: async ({ query }, { settings }) => ({ records: [...(await settings.history(query))] }),
  }),
  route("POST", "/settings/undo", {
    summary: "Restores the values before a change.",
    body: undoSchema,
    answer: settingsChangedSchema,
    run: async ({ body }, { settings }) => {
      const { revision, paths } = await settings.undo(body, ADMIN);
      return { revision, needRestart: needRestart(paths) };
    },
  }),
  route("GET", "/settings/export", {
    summary: "Returns all settings as a file, without secrets.",
    answer: { contentType: "application/json" },
    run: async (_, { settings }) => sendFile("longhaul-settings.json", writeSettings(settings.layered)),
  }),
  route("POST", "/settings/import", {
    summary: "Imports a file of all settings.",
    body: importSchema,
    maxBytes: IMPORT_BYTES,
    answer: importedSchema,
    run: ({ body }, { settings }) => importEntries(settings, body, readSettings(body.text, settings.layered.config)),
  }),
  route("POST", "/settings/import-roo", {
    summary: "Imports the condensing settings of a file that Roo Code exported.",
    body: importSchema,
    maxBytes: IMPORT_BYTES,
    answer: importedSchema,
    run: ({ body }, { settings }) => {
      const { entries, leftOut } = importRoo(body.text, settings.layered.config);
      return importEntries(settings, body, { entries, leftOut: leftOut.map(({ key, why }) => ({ path: key, why })) });
    },
  }),
];

interface ImportedFile {
  readonly entries: readonly SettingEntry[];
  readonly missing?: readonly string[];
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
}

async function importEntries(
  settings: LiveSettings,
  { isTrial, ifRevision }: z.output<typeof importSchema>,
  { entries, missing = [], leftOut }: ImportedFile,
): Promise<z.input<typeof importedSchema>> {
  const change = { entries, by: ADMIN, ...(ifRevision !== undefined && { ifRevision }) };
  const isChange = !isTrial && entries.length > 0;
  const revision = isChange ? await settings.change(change) : settings.revision;
  const paths = entries.map(({ path }) => path);
  return {
    revision,
    needRestart: isChange ? needRestart(paths) : [],
    entries: entries.map((entry) => (isSecret(entry) ? { path: entry.path } : { ...entry })),
    missing: [...missing],
    leftOut: [...leftOut],
  };
}

function isSecret({ path }: SettingEntry): boolean {
  return findSetting(parsePath(path))?.isSecret === true;
}

/** The author of changes through the admin API, which has one role. */
const ADMIN = "admin";

interface Change {
  readonly entries: readonly SettingEntry[];
  readonly ifRevision?: number;
}

export async function changeAsAdmin({ settings }: Pick<AdminContext, "settings">, change: Change) {
  const revision = await settings.change({ ...change, by: ADMIN });
  return { revision, needRestart: needRestart(change.entries.flatMap(singleEntries).map(({ path }) => path)) };
}

export function needRestart(paths: readonly string[]): string[] {
  return paths.filter((path) => findSetting(parsePath(path))?.needsRestart === true);
}
