import { LonghaulError } from "@longhaul/conversation";
import { z } from "zod";
import { schemaFaults } from "../contract/strategy.ts";
import { smartSchema } from "./config.ts";

/** Bumped when presets of before can no longer be read. */
const PRESET_VERSION = 1;

const presetSchema = z.strictObject({
  version: z.literal(PRESET_VERSION),
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "use small letters, digits and dashes"),
  name: z.string().trim().min(1),
  description: z.string(),
  config: smartSchema,
});

/** A configuration of `smart` with a name, to be chosen, shared and kept. */
export type Preset = z.infer<typeof presetSchema>;

/** A preset as JSON, to be saved or passed on. One that is not valid throws `settings.invalid` naming every bad field. */
export function exportPreset(preset: Preset): string {
  return `${JSON.stringify(checkPreset(preset), undefined, 2)}\n`;
}

/** Reads a preset from JSON; `settings.invalid` says what is wrong with one that cannot be used, and in which field. */
export function importPreset(text: string): Preset {
  return checkPreset(parseJson(text));
}

function checkPreset(value: unknown): Preset {
  const parsed = presetSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = schemaFaults(parsed.error, "the preset");
  throw new LonghaulError("settings.invalid", `this preset cannot be used: ${faults}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new LonghaulError("settings.invalid", `this preset is not JSON: ${why}`, { cause });
  }
}
