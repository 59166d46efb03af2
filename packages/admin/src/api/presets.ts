import { presetFileSchema } from "@longhaul/settings";
import { z } from "zod";

const maybe = z.exactOptional;
const { description, strategy, config } = presetFileSchema.shape;

/** A strategy with its settings, saved under a name. */
export const presetSchema = z.object({
  name: z.string(),
  description: z.string(),
  strategy: z.string(),
  config: z.record(z.string(), z.unknown()),
  isBuiltIn: z.boolean(),
  changedAtMs: maybe(z.number()).describe("When it was saved."),
});

/** A strategy with its settings, saved under a name. */
export type PresetAnswer = z.output<typeof presetSchema>;

/** The answer of `GET /api/presets`: built-in presets, then the user's own by name. */
export const presetsSchema = z.object({ presets: z.array(presetSchema) });

/** The answer of `GET /api/presets`. */
export type PresetsAnswer = z.output<typeof presetsSchema>;

/** The body of `PUT /api/presets/:name`. */
export const presetBodySchema = z.strictObject({ description, strategy, config });

/** The body of `POST /api/presets/:name/apply`. */
export const applyPresetSchema = z.strictObject({
  profile: maybe(z.string().min(1)).describe("The profile to change. Default: the global settings."),
  ifRevision: maybe(z.int().min(0)).describe("Fail without a change if the settings are at another revision."),
});

/** The body of `POST /api/presets/import`. */
export const importPresetSchema = z.strictObject({
  text: z.string().min(1).describe("The file's content."),
  mayReplace: z.boolean().default(false).describe("Whether to replace a preset of the same name."),
});

/** Whether something was removed. */
export const removedSchema = z.object({ removed: z.boolean() });
