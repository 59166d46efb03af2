import { isJsonObject, type JsonValue } from "@longhaul/conversation";
import { z } from "zod";
import { effectiveSettings } from "../layers/effective-settings.ts";
import type { LayeredSettings } from "../layers/layer-settings.ts";
import { checkStorable, singleEntries } from "../layers/storable.ts";
import type { Config } from "../schema/config.ts";
import { CONFIG_VERSION, migrateConfig } from "../schema/migrate-config.ts";
import { formatPath, parsePath, valueAt, withValue } from "../schema/path.ts";
import { parseFile, validateFile } from "./json-file.ts";

/** The schema of a file of all settings. */
export const settingsFileSchema = z.strictObject({
  longhaul: z.literal("settings").describe("The kind of file."),
  version: z
    .int()
    .min(1)
    .max(CONFIG_VERSION, `must be a version from 1 to ${CONFIG_VERSION}`)
    .describe("Version of the settings."),
  settings: z
    .record(z.string(), z.json())
    .describe("Every setting that differs from its default, as in longhaul.yaml."),
  secrets: z.array(z.string()).default([]).describe("Secrets that are set but not in the file."),
});

/** Writes all settings as a file. Secrets are only named; defaults and command-line flags are omitted. */
export function writeSettings(layered: Pick<LayeredSettings, "config" | "origins">): string {
  const exported = effectiveSettings(layered).filter(
    ({ origin, isSet, setting }) => isSet && !["default", "flag"].includes(origin) && setting.storedAs !== undefined,
  );
  const isWhole = ({ path, value }: { path: string; value?: JsonValue }) =>
    JSON.stringify(value) === JSON.stringify(valueAt(layered.config, parsePath(path)));
  const settings = exported
    .filter(({ value }) => value !== undefined)
    .reduce<unknown>((tree, { path, value }) => withValue(tree, parsePath(path), value), {});
  const secrets = exported.filter((each) => !isWhole(each)).map(({ path }) => path);
  return `${JSON.stringify({ longhaul: "settings", version: CONFIG_VERSION, settings, secrets }, null, 2)}\n`;
}

/**
 * Reads a file of all settings, of any version, as changes. `missing` names the secrets of the exporting gateway that are not set here. An
 * invalid file throws `settings.invalid`; values are checked when they are changed.
 */
export function readSettings(text: string, config: Config) {
  const { version, settings, secrets } = validateFile(settingsFileSchema, parseFile(text, "the file"), "the file");
  const { value } = migrateConfig({ ...settings, version });
  const { version: _, ...current } = isJsonObject(value) ? value : {};
  const checked = Object.entries(current)
    .flatMap(([name, inner]) => singleEntries({ path: formatPath([name]), value: inner }))
    .map((entry) => ({ entry, why: checkStorable(entry.path) }));
  return {
    entries: checked.filter(({ why }) => why === undefined).map(({ entry }) => entry),
    missing: secrets.filter((path) => valueAt(config, parsePath(path)) === undefined),
    leftOut: checked.flatMap(({ entry, why }) => (why === undefined ? [] : [{ path: entry.path, why }])),
  };
}
