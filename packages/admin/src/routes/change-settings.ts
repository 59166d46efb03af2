import { findSetting, parsePath, type SettingEntry, singleEntries } from "@longhaul/settings";
import type { AdminContext } from "./route.ts";

/** The author of changes through the admin API, which has one role. */
export const ADMIN = "admin";

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
