import { ORIGINS } from "@longhaul/settings";
import { z } from "zod";

const maybe = z.exactOptional;

const settingFields = {
  path: z.string(),
  group: z.string(),
  help: z.string(),
  schema: z.record(z.string(), z.unknown()).describe("JSON Schema of its values."),
  default: maybe(z.unknown()),
  isSecret: z.boolean().describe("Whether its values can be set but are never returned."),
  needsRestart: z.boolean(),
  storedAs: maybe(z.string()).describe("The path to use in a change. If absent, this API cannot change it."),
  variable: maybe(z.string()).describe("The environment variable that sets it."),
};

const groupSchema = z.object({ name: z.string(), help: z.string() });

/** A value that is ignored, with the reason. */
export const leftOutSchema = z.object({ path: z.string(), why: z.string() });

/** The answer of `GET /api/settings/specs`: every possible setting, with `*` for user-defined names. */
export const settingSpecsSchema = z.object({
  groups: z.array(groupSchema),
  settings: z.array(z.object(settingFields)),
});

/** The answer of `GET /api/settings/specs`. */
export type SettingSpecsAnswer = z.output<typeof settingSpecsSchema>;

/** The answer of `GET /api/settings`: each setting's effective value and its source. */
export const settingsSchema = z.object({
  revision: z.int().describe("Increases with every change of a stored setting."),
  groups: z.array(groupSchema),
  settings: z.array(
    z.object({
      ...settingFields,
      origin: z.enum(ORIGINS),
      isSet: z.boolean(),
      value: maybe(z.unknown()).describe("Absent if nothing is set, and for secrets."),
    }),
  ),
  leftOut: z.array(leftOutSchema).describe("Stored values that are ignored."),
  warnings: z.array(z.string()),
});

/** The answer of `GET /api/settings`. */
export type SettingsAnswer = z.output<typeof settingsSchema>;

const ifRevision = maybe(z.int().min(0)).describe("Fail without a change if the settings are at another revision.");

/** The body of `PATCH /api/settings`. */
export const settingsChangeSchema = z.strictObject({
  entries: z
    .array(
      z.strictObject({
        path: z.string().min(1).max(1_000),
        value: maybe(z.json()).describe("If absent, the stored value is removed."),
      }),
    )
    .min(1)
    .max(10_000),
  ifRevision,
});

/** The answer of every change of settings. */
export const settingsChangedSchema = z.object({
  revision: z.int(),
  needRestart: z.array(z.string()).describe("Changed settings that take effect after a restart."),
});

/** The answer of every change of settings. */
export type SettingsChangedAnswer = z.output<typeof settingsChangedSchema>;

/** The query of `GET /api/settings/history`. */
export const historyQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  beforeRevision: maybe(z.coerce.number().int().min(1)),
  path: maybe(z.string().min(1)),
});

/** The answer of `GET /api/settings/history`, latest first. */
export const historySchema = z.object({
  records: z.array(
    z.object({
      revision: z.int(),
      path: z.string(),
      before: maybe(z.unknown()),
      after: maybe(z.unknown()),
      isSecret: z.boolean(),
      by: z.string(),
      atMs: z.number(),
    }),
  ),
});

/** The answer of `GET /api/settings/history`, latest first. */
export type HistoryAnswer = z.output<typeof historySchema>;

/** The body of `POST /api/settings/undo`. */
export const undoSchema = z.strictObject({
  revision: z.int().min(1),
  path: maybe(z.string().min(1)).describe("The setting to restore. Default: all settings of that revision."),
});

/** The body of the imports of settings. */
export const importSchema = z.strictObject({
  text: z.string().min(1).describe("The file's content."),
  isTrial: z.boolean().default(false).describe("Whether to report the changes without making them."),
  ifRevision,
});

/** The answer of the imports of settings. */
export const importedSchema = settingsChangedSchema.extend({
  entries: z
    .array(z.object({ path: z.string(), value: maybe(z.unknown()) }))
    .describe("The changes made, or those that would be made."),
  missing: z.array(z.string()).describe("Secrets that are neither in the file nor set here."),
  leftOut: z.array(leftOutSchema).describe("Values that could not be imported."),
});

/** The answer of the imports of settings. */
export type ImportedAnswer = z.output<typeof importedSchema>;
