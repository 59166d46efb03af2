import { isDeepStrictEqual } from "node:util";
import { type Config, listSettings, parsePath, spellPath, valueAt } from "@longhaul/settings";
import type { Reloaded } from "./logging/log.ts";

/** What another configuration changes, by name: values may be secrets. */
export function configChanges(before: Config, after: Config): Reloaded {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const [old, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return {
    changed: [...keys].filter((key) => !isDeepStrictEqual(old.get(key), next.get(key))),
    needRestart: listSettings()
      .filter(({ needsRestart }) => needsRestart)
      .map(({ path }) => parsePath(path))
      .filter((path) => !isDeepStrictEqual(valueAt(before, path), valueAt(after, path)))
      .map(spellPath),
  };
}
