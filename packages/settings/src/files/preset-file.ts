import { checkWith, findStrategy, importPreset, PRESETS, STRATEGIES } from "@longhaul/condense/advanced";
import { isJsonObject, type JsonObject, parseJsonText } from "@longhaul/conversation/advanced";
import { z } from "zod";
import type { SettingEntry } from "../layers/storable.ts";
import { formatPath } from "../schema/path.ts";
import { parseFile, validateFile } from "./json-file.ts";

/** A strategy with its settings, saved under a name. */
export interface Preset {
  readonly name: string;
  readonly description: string;
  readonly strategy: string;
  readonly config: JsonObject;
}

/** Increased when older files cannot be read anymore. */
const PRESET_VERSION = 1;

/** The schema of a preset file. */
export const presetFileSchema = z
  .strictObject({
    longhaul: z.literal("preset").describe("The kind of file."),
    version: z.literal(PRESET_VERSION).describe("Version of the format."),
    name: z.string().trim().min(1).max(100).describe("Name of the preset."),
    description: z.string().max(1_000).default("").describe("When to use the preset."),
    strategy: z.lazy(() => z.enum(STRATEGIES.map(({ id }) => id))).describe("The strategy's ID."),
    config: z.record(z.string(), z.json()).default({}).describe("The strategy's settings."),
  })
  .check(({ value, issues }) => {
    const { schema, readConfig } = findStrategy(value.strategy);
    const { issues: faults = [] } = checkWith(schema, readConfig?.(value.config) ?? value.config);
    for (const { message, path } of faults) {
      issues.push({ code: "custom", message, path: ["config", ...path], input: value });
    }
  });

/** The built-in presets. */
export const BUILT_IN_PRESETS: readonly Preset[] = PRESETS.map(fromSmart);

function fromSmart({ name, description, config }: Readonly<{ name: string; description: string; config: unknown }>) {
  const json: unknown = parseJsonText(JSON.stringify(config));
  return { name, description, strategy: "smart", config: isJsonObject(json) ? json : {} };
}

/** Writes a preset as a file. An invalid preset throws `settings.invalid` with every invalid field. */
export function writePreset({ name, description, strategy, config }: Preset): string {
  const preset = { longhaul: "preset", version: PRESET_VERSION, name, description, strategy, config };
  return `${JSON.stringify(validateFile(presetFileSchema, preset, "the preset"), null, 2)}\n`;
}

/** Reads a preset file, or a file of `smart`'s own format. Throws `settings.invalid` with every invalid field. */
export function readPreset(text: string): Preset {
  const value = parseFile(text, "the preset");
  if (isJsonObject(value) && value.longhaul === undefined && value.strategy === undefined) {
    return fromSmart(importPreset(text));
  }
  const { longhaul: _, version: _version, ...preset } = validateFile(presetFileSchema, value, "the preset");
  return preset;
}

/** Returns the changes that apply a preset, globally or to a profile. */
export function presetEntries({ strategy, config }: Preset, profile?: string): readonly SettingEntry[] {
  const section = profile === undefined ? "context" : `${formatPath(["profiles", profile])}.context`;
  return [
    { path: `${section}.strategy`, value: strategy },
    { path: `${section}.strategies.${strategy}`, value: config },
  ];
}
