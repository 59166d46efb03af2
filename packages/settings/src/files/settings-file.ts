import { isJsonObject, type JsonValue } from "@longhaul/conversation";
import { z } from "zod";
import { effectiveSettings } from "../layers/effective-settings.ts";
import type { LayeredSettings } from "../layers/layer-settings.ts";
import { checkStorable, type SettingEntry, singleEntries } from "../layers/storable.ts";
import type { Config } from "../schema/config.ts";
import { CONFIG_VERSION, migrateConfig } from "../schema/migrate-config.ts";
import { parsePath, spellPath, valueAt, withValue } from "../schema/path.ts";
import { judgeFile, parseFile } from "./json-file.ts";

/** All settings as they stand in a file. */
export const settingsFileSchema = z.strictObject({
  longhaul: z.literal("settings").describe("What the file holds."),
  version: z
    .int()
    .min(1)
    .max(CONFIG_VERSION, `this Longhaul reads versions 1 to ${CONFIG_VERSION}`)
    .describe("Version of the settings' names."),
  settings: z
    .record(z.string(), z.json())
    .describe("Every setting that is not as it is by default, as in longhaul.yaml."),
  secrets: z
    .array(z.string())
    .default([])
    .describe("Settings that were set and are not in the file, because they are secret."),
});

/** All settings as one file, without secrets; those are named. What holds by default or for one run alone is left out. */
export function writeSettings(layered: Pick<LayeredSettings, "config" | "origins">): string {
  const told = effectiveSettings(layered).filter(
    ({ origin, isSet, setting }) => isSet && !["default", "flag"].includes(origin) && setting.storedAs !== undefined,
  );
  const isWhole = ({ path, value }: { path: string; value?: JsonValue }) =>
    JSON.stringify(value) === JSON.stringify(valueAt(layered.config, parsePath(path)));
  const settings = told
    .filter(({ value }) => value !== undefined)
    .reduce<unknown>((tree, { path, value }) => withValue(tree, parsePath(path), value), {});
  const secrets = told.filter((each) => !isWhole(each)).map(({ path }) => path);
  return `${JSON.stringify({ longhaul: "settings", version: CONFIG_VERSION, settings, secrets }, null, 2)}\n`;
}

/** What a file of settings comes to here. */
export interface ReadSettings {
  /** What to change. */
  readonly entries: readonly SettingEntry[];
  /** Secrets that were set where the file comes from and are not set here. */
  readonly missing: readonly string[];
  /** What cannot be taken over, and why. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
}

/** Reads a file of all settings, of any version. What is wrong with the file itself throws `settings.invalid`; values are for a change to judge. */
export function readSettings(text: string, config: Config): ReadSettings {
  const { version, settings, secrets } = judgeFile(settingsFileSchema, parseFile(text, "the file"), "the file");
  const { value } = migrateConfig({ ...settings, version });
  const { version: _, ...today } = isJsonObject(value) ? value : {};
  const judged = Object.entries(today)
    .flatMap(([name, inner]) => singleEntries({ path: spellPath([name]), value: inner }))
    .map((entry) => ({ entry, why: checkStorable(entry.path) }));
  return {
    entries: judged.filter(({ why }) => why === undefined).map(({ entry }) => entry),
    missing: secrets.filter((path) => valueAt(config, parsePath(path)) === undefined),
    leftOut: judged.flatMap(({ entry, why }) => (why === undefined ? [] : [{ path: entry.path, why }])),
  };
}
