import { isJsonObject } from "@longhaul/conversation";
import { isWithin, type Path } from "../schema/path.ts";
import { findSetting } from "../schema/setting.ts";

/** The sources of a setting's value. Later ones override earlier ones; nothing overrides the operator's switches. */
export const ORIGINS = ["default", "file", "environment", "stored", "flag"] as const;

/** The source of a setting's value. */
export type Origin = (typeof ORIGINS)[number];

/** The source of each setting's value. */
export interface Origins {
  /** Returns the source of the setting at a path or around it: the last one that set a part of it. */
  of(path: Path): Origin;
}

/** The path of a value and its source. */
export interface OriginEntry {
  readonly path: Path;
  readonly origin: Origin;
}

/** Makes origins from values in ascending priority, computed on first use. */
export function originsOf(given: () => readonly OriginEntry[]): Origins {
  let latest: readonly OriginEntry[] | undefined;
  const isOf = (given: Path, path: Path) =>
    isWithin(path, given) || (isWithin(given, path) && findSetting(path) !== undefined);
  return {
    of: (path) => {
      latest ??= given().toReversed();
      return latest.find((each) => isOf(each.path, path))?.origin ?? "default";
    },
  };
}

/** Returns the paths of the settings that a value at a path sets. */
export function settingPaths(value: unknown, path: Path = []): Path[] {
  if (findSetting(path) !== undefined || !isJsonObject(value)) return [path];
  return Object.entries(value).flatMap(([name, inner]) => settingPaths(inner, [...path, name]));
}
