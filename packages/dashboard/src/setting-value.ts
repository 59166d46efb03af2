import type { SettingsAnswer } from "@longhaul/settings";

/** What holds for a setting; nothing where none is set. */
export function settingValue({ settings }: Pick<SettingsAnswer, "settings">, path: string): unknown {
  return settings.find((setting) => setting.path === path)?.value;
}
