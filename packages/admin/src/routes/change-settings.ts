import { findSetting, parsePath, type SettingEntry, singleEntries } from "@longhaul/settings";
import type { AdminContext } from "./route.ts";

/** Who changed something, as history shows it: there is one role. */
export const ADMIN = "admin";

/** What is to be changed. */
interface Change {
  readonly entries: readonly SettingEntry[];
  readonly ifRevision?: number;
}

/** Changes settings for the admin, and says what that led to. */
export async function changedBy({ settings }: Pick<AdminContext, "settings">, change: Change) {
  const revision = await settings.change({ ...change, by: ADMIN });
  return { revision, needRestart: needRestart(change.entries.flatMap(singleEntries).map(({ path }) => path)) };
}

/** Those settings of a change that take effect when the gateway is started again. */
export function needRestart(paths: readonly string[]): string[] {
  return paths.filter((path) => findSetting(parsePath(path))?.needsRestart === true);
}
