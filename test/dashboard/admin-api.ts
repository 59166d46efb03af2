import type { SettingsAnswer } from "@longhaul/settings";
import type { Rig } from "./rig.ts";
import { ask } from "./traffic.ts";

/** What holds for a setting. */
export async function settingAt(rig: Rig, path: string): Promise<unknown> {
  const { settings } = await ask<SettingsAnswer>(rig, "/settings");
  return settings.find((setting) => setting.path === path)?.value;
}
