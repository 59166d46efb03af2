import { ORIGINS } from "@longhaul/settings";
import { z } from "zod";

const maybe = z.exactOptional;

const settingFields = {
  path: z.string(),
  group: z.string(),
  help: z.string(),
  schema: z.record(z.string(), z.unknown()).describe("What its values may be, as JSON Schema."),
  default: maybe(z.unknown()),
  isSecret: z.boolean().describe("Its values are written, never shown."),
  needsRestart: z.boolean(),
  storedAs: maybe(z.string()).describe("The path to change it by; without one, it is set outside of the gateway."),
  variable: maybe(z.string()).describe("The environment variable that sets it."),
};

const groupSchema = z.object({ name: z.string(), help: z.string() });

/** A value that is not used, and why. */
export const leftOutSchema = z.object({ path: z.string(), why: z.string() });

/** Every setting that there may be, names of the user's own spelled as `*`. */
export const settingSpecsSchema = z.object({
  groups: z.array(groupSchema),
  settings: z.array(z.object(settingFields)),
});

/** What holds for every setting, and who says so. */
export const settingsSchema = z.object({
  revision: z.int().describe("Grows with every change of what is stored."),
  groups: z.array(groupSchema),
  settings: z.array(
    z.object({
      ...settingFields,
      origin: z.enum(ORIGINS),
      isSet: z.boolean(),
      value: maybe(z.unknown()).describe("Absent where nothing is set, and for secrets."),
    }),
  ),
  leftOut: z.array(leftOutSchema).describe("Stored values that are not used."),
  warnings: z.array(z.string()),
});

const ifRevision = maybe(z.int().min(0)).describe("Change nothing where another revision holds by now.");

/** Settings to be changed together. */
export const settingsChangeSchema = z.strictObject({
  entries: z
    .array(
      z.strictObject({
        path: z.string().min(1).max(1_000),
        value: maybe(z.json()).describe("Without one, what the setting has by other means holds again."),
      }),
    )
    .min(1)
    .max(10_000),
  ifRevision,
});

/** What a change led to. */
export const settingsChangedSchema = z.object({
  revision: z.int(),
  needRestart: z.array(z.string()).describe("Changed settings that take effect when the gateway is started again."),
});

/** Which part of history. */
export const historyQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  beforeRevision: maybe(z.coerce.number().int().min(1)),
  path: maybe(z.string().min(1)),
});

/** What was changed, the latest first. */
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

/** What is to be put back. */
export const undoSchema = z.strictObject({
  revision: z.int().min(1),
  path: maybe(z.string().min(1)).describe("Without one, everything that was changed together."),
});

/** A file to be read. */
export const importSchema = z.strictObject({
  text: z.string().min(1).describe("What stands in the file."),
  isTrial: z.boolean().default(false).describe("Only say what would be changed."),
  ifRevision,
});

/** What an import led to. */
export const importedSchema = settingsChangedSchema.extend({
  entries: z
    .array(z.object({ path: z.string(), value: maybe(z.unknown()) }))
    .describe("What was changed, or would be."),
  missing: z.array(z.string()).describe("Secrets that are not in the file and not set here."),
  leftOut: z.array(leftOutSchema).describe("What could not be taken over."),
});

/** What `GET /api/settings` answers. */
export type SettingsAnswer = z.output<typeof settingsSchema>;

/** What `GET /api/settings/specs` answers. */
export type SettingSpecsAnswer = z.output<typeof settingSpecsSchema>;

/** What every change of settings answers. */
export type SettingsChangedAnswer = z.output<typeof settingsChangedSchema>;

/** What `GET /api/settings/history` answers. */
export type HistoryAnswer = z.output<typeof historySchema>;

/** What imports of settings answer. */
export type ImportedAnswer = z.output<typeof importedSchema>;
