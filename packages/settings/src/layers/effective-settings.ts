import { isJsonObject, isJsonValue, type JsonValue } from "@longhaul/conversation/advanced";
import type { Config } from "../schema/config.ts";
import { formatPath, type Path, parsePath, valueAt } from "../schema/path.ts";
import { findSetting, listSettings, type Setting } from "../schema/setting.ts";
import type { LayeredSettings } from "./layer-settings.ts";
import { type Origin, settingPaths } from "./origins.ts";

/** A setting's effective value and its source. */
export interface EffectiveSetting {
  /** With actual names instead of `*`. */
  readonly path: string;
  readonly setting: Setting;
  readonly origin: Origin;
  readonly isSet: boolean;
  /** Absent if nothing is set, and for secrets. */
  readonly value?: JsonValue;
}

/** Returns every setting in the order of the configuration, including those without a value, except under user-defined names. */
export function effectiveSettings({
  config,
  origins,
}: Pick<LayeredSettings, "config" | "origins">): EffectiveSetting[] {
  const used = settingPaths(config);
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
    path: formatPath(path),
    setting,
    isSet: value !== undefined && !(setting.isSecret && isEmpty(value)),
    ...(isJsonValue(shown) && { value: shown }),
  };
}

/** An empty record of headers is not a secret. */
function isEmpty(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** Removes a password before an address's host and a token after its path. */
function withoutCredentials({ schema }: Setting, value: unknown): unknown {
  if (schema.format !== "uri" || typeof value !== "string") return value;
  return value.replace(/\/\/[^/?#]*@/, "//").replace(/\?.*$/s, "");
}
