import { isJsonObject, type JsonValue, LonghaulError } from "@longhaul/conversation";
import { formatPath, type Path, parsePath } from "../schema/path.ts";
import { findSetting, settingAround } from "../schema/setting.ts";

/** Returns why a setting of this path cannot be stored, or undefined if it can. */
export function checkStorable(text: string): string | undefined {
  const path = parsed(text);
  if (path === undefined) return "it is not a setting";
  const around = settingAround(path);
  if (around === undefined) return "unknown setting";
  if (around.storedAs === undefined) return "it cannot be stored; set it in the file or the environment";
  if (findSetting(path)?.storedAs === around.path) return undefined;
  return `it is part of ${around.storedAs}, which is stored as a whole; change that instead`;
}

function parsed(text: string): Path | undefined {
  try {
    return parsePath(text);
  } catch (error) {
    if (error instanceof LonghaulError) return undefined;
    throw error;
  }
}

/** A change of a setting. Without a value, the stored value is removed. */
export interface SettingEntry {
  readonly path: string;
  readonly value?: JsonValue;
}

/** Splits an entry for a section, such as a profile, into entries of single settings. */
export function singleEntries({ path, value }: SettingEntry): SettingEntry[] {
  return spread(parsePath(path), value);
}

function spread(path: Path, value: JsonValue | undefined): SettingEntry[] {
  if (settingAround(path) !== undefined || !isJsonObject(value)) {
    return [{ path: formatPath(path), ...(value !== undefined && { value }) }];
  }
  return Object.entries(value).flatMap(([name, inner]) => spread([...path, name], inner));
}
