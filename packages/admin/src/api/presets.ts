import { presetFileSchema } from "@longhaul/settings";
import { z } from "zod";

const maybe = z.exactOptional;
const { description, strategy, config } = presetFileSchema.shape;

/** A preset's name, and what it holds. */
export const presetSchema = z.object({
  name: z.string(),
  description: z.string(),
  strategy: z.string(),
  config: z.record(z.string(), z.unknown()),
  isBuiltIn: z.boolean(),
  changedAtMs: maybe(z.number()).describe("When it was saved."),
});

/** All presets: everybody's, then the user's own by name. */
export const presetsSchema = z.object({ presets: z.array(presetSchema) });

/** What is saved under a name. */
export const presetBodySchema = z.strictObject({ description, strategy, config });

/** Where a preset is put in force. */
export const applyPresetSchema = z.strictObject({
  profile: maybe(z.string().min(1)).describe("Without one, everywhere."),
  ifRevision: maybe(z.int().min(0)).describe("Change nothing where another revision holds by now."),
});

/** A preset's file. */
export const importPresetSchema = z.strictObject({
  text: z.string().min(1).describe("What stands in the file."),
  mayReplace: z.boolean().default(false).describe("Whether it takes the place of one of the same name."),
});

/** Whether something was removed. */
export const removedSchema = z.object({ removed: z.boolean() });

/** A preset as it is shown. */
export type PresetAnswer = z.output<typeof presetSchema>;

/** What `GET /api/presets` answers. */
export type PresetsAnswer = z.output<typeof presetsSchema>;
