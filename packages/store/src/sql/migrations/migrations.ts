import { epochsWindowsCalibrations } from "./0001-epochs-windows-calibrations.ts";
import { settingsPresetsKeys } from "./0002-settings-presets-keys.ts";
import { limitsLeasesSignIns } from "./0003-limits-leases-sign-ins.ts";
import { contents } from "./0004-contents.ts";
import { events } from "./0005-events.ts";
import { sessionParents } from "./0006-session-parents.ts";
import { evidence } from "./0007-evidence.ts";
import type { Migration } from "./migration.ts";

/** Every migration, in order: its place in the list, counted from one, is its number. Entries are added at the end and never changed. */
export const MIGRATIONS: readonly Migration[] = [
  epochsWindowsCalibrations,
  settingsPresetsKeys,
  limitsLeasesSignIns,
  contents,
  events,
  sessionParents,
  evidence,
];
