import { isJsonObject, isJsonValue, type JsonValue } from "@longhaul/conversation";
import type { Config } from "../schema/config.ts";
import { type Path, parsePath, spellPath, valueAt } from "../schema/path.ts";
import { findSetting, listSettings, type Setting } from "../schema/setting.ts";
import type { LayeredSettings } from "./layer-settings.ts";
import { type Origin, placesIn } from "./origins.ts";

/** What holds for one setting, and who says so. */
export interface EffectiveSetting {
  /** With the names that are in use. */
  readonly path: string;
  readonly setting: Setting;
  readonly origin: Origin;
  readonly isSet: boolean;
  /** Absent where nothing is set, and for secrets. */
  readonly value?: JsonValue;
}

/** What holds for every setting, in the order of the configuration; those that have no value too, unless they stand under a name. */
export function effectiveSettings({
  config,
  origins,
}: Pick<LayeredSettings, "config" | "origins">): EffectiveSetting[] {
  const used = placesIn(config);
  const settings = listSettings();
  const unused = settings
    .map(({ path }) => parsePath(path))
    .filter((path) => !path.includes("*") && valueAt(config, path) === undefined);
  return [...used, ...unused]
    .flatMap((path) => {
      const setting = findSetting(path);
      return setting === undefined ? [] : [{ ...shownAt(config, path, setting), origin: origins.of(path) }];
    })
    .sort((one, other) => settings.indexOf(one.setting) - settings.indexOf(other.setting));
}

function shownAt(config: Config, path: Path, setting: Setting): Omit<EffectiveSetting, "origin"> {
  const value = valueAt(config, path);
  const shown = setting.isSecret ? undefined : withoutCredentials(setting, value);
  return {
    path: spellPath(path),
    setting,
    isSet: value !== undefined && !(setting.isSecret && isEmpty(value)),
    ...(isJsonValue(shown) && { value: shown }),
  };
}

/** No headers are no secret. */
function isEmpty(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** An address may hold a password before its host, and a token after its path. */
function withoutCredentials({ schema }: Setting, value: unknown): unknown {
  if (schema.format !== "uri" || typeof value !== "string") return value;
  return value.replace(/\/\/[^/?#]*@/, "//").replace(/\?.*$/s, "");
}
