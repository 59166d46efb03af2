import { isJsonObject } from "@longhaul/conversation";
import { isWithin, type Path } from "../schema/path.ts";
import { findSetting } from "../schema/setting.ts";

/** Where a setting's value comes from; later ones go before earlier ones, except that nothing goes before the operator's switches. */
export const ORIGINS = ["default", "file", "environment", "stored", "flag"] as const;

/** One of the places that a setting's value comes from. */
export type Origin = (typeof ORIGINS)[number];

/** Where the value of each setting comes from. */
export interface Origins {
  /** That of the setting at a place, or around it. Whoever gave a part of a setting last counts as who gave it. */
  of(path: Path): Origin;
}

/** One value, and who gave it. */
export interface Given {
  readonly path: Path;
  readonly origin: Origin;
}

/** Who gave what, in the order in which it was given: later ones go before earlier ones. It is worked out when somebody asks. */
export function originsOf(given: () => readonly Given[]): Origins {
  let latest: readonly Given[] | undefined;
  const isOf = (given: Path, path: Path) =>
    isWithin(path, given) || (isWithin(given, path) && findSetting(path) !== undefined);
  return {
    of: (path) => {
      latest ??= given().toReversed();
      return latest.find((each) => isOf(each.path, path))?.origin ?? "default";
    },
  };
}

/** The places of the settings that a value sets, down from the place where it stands itself. */
export function placesIn(value: unknown, path: Path = []): Path[] {
  if (findSetting(path) !== undefined || !isJsonObject(value)) return [path];
  return Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...path, name]));
}
