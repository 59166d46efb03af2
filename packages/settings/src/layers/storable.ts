import { isJsonObject, type JsonValue, LonghaulError } from "@longhaul/conversation";
import { type Path, parsePath, spellPath } from "../schema/path.ts";
import { findSetting, settingAround } from "../schema/setting.ts";

/** Why a setting of this path cannot be stored; nothing where it can. */
export function checkStorable(text: string): string | undefined {
  const path = parsed(text);
  if (path === undefined) return "it is not the path of a setting";
  const around = settingAround(path);
  if (around === undefined) return "there is no such setting";
  if (around.storedAs === undefined) return "it is never kept in the store; set it in the file or the environment";
  if (findSetting(path)?.storedAs === around.path) return undefined;
  return `it is part of ${around.storedAs}, which is stored as a whole`;
}

function parsed(text: string): Path | undefined {
  try {
    return parsePath(text);
  } catch (error) {
    if (error instanceof LonghaulError) return undefined;
    throw error;
  }
}

/** A setting's new value; without one, what it has by other means holds again. */
export interface SettingEntry {
  readonly path: string;
  readonly value?: JsonValue;
}

/** The entries of single settings that one for a whole section, such as a profile, stands for. */
export function singleEntries({ path, value }: SettingEntry): SettingEntry[] {
  return spread(parsePath(path), value);
}

function spread(path: Path, value: JsonValue | undefined): SettingEntry[] {
  if (settingAround(path) !== undefined || !isJsonObject(value)) {
    return [{ path: spellPath(path), ...(value !== undefined && { value }) }];
  }
  return Object.entries(value).flatMap(([name, inner]) => spread([...path, name], inner));
}
