import { findStrategy, importPreset, PRESETS, STRATEGIES } from "@longhaul/condense";
import { checkValue, isJsonObject, type JsonObject, parseJsonText } from "@longhaul/conversation";
import { z } from "zod";
import type { SettingEntry } from "../layers/storable.ts";
import { spellPath } from "../schema/path.ts";
import { judgeFile, parseFile } from "./json-file.ts";

/** A strategy with its settings, under a name. */
export interface Preset {
  readonly name: string;
  readonly description: string;
  readonly strategy: string;
  readonly config: JsonObject;
}

/** Bumped when files of before can no longer be read. */
const PRESET_VERSION = 1;

/** A preset as it stands in a file. */
export const presetFileSchema = z
  .strictObject({
    longhaul: z.literal("preset").describe("What the file holds."),
    version: z.literal(PRESET_VERSION).describe("Version of its keys."),
    name: z.string().trim().min(1).max(100).describe("What people choose it by."),
    description: z.string().max(1_000).default("").describe("What it is good for."),
    strategy: z.enum(STRATEGIES.map(({ id }) => id)).describe("How a conversation is made smaller."),
    config: z.record(z.string(), z.json()).default({}).describe("The strategy's settings."),
  })
  .check(({ value, issues }) => {
    const { error } = checkValue(findStrategy(value.strategy).schema, value.config);
    for (const { message, path } of error?.issues ?? []) {
      issues.push({ code: "custom", message, path: ["config", ...path], input: value });
    }
  });

/** The presets that everybody has. */
export const BUILT_IN_PRESETS: readonly Preset[] = PRESETS.map(fromSmart);

function fromSmart({ name, description, config }: Readonly<{ name: string; description: string; config: unknown }>) {
  const spelled: unknown = parseJsonText(JSON.stringify(config));
  return { name, description, strategy: "smart", config: isJsonObject(spelled) ? spelled : {} };
}

/** A preset as a file. One that is not valid throws `settings.invalid` naming every bad field. */
export function writePreset({ name, description, strategy, config }: Preset): string {
  const preset = { longhaul: "preset", version: PRESET_VERSION, name, description, strategy, config };
  return `${JSON.stringify(judgeFile(presetFileSchema, preset, "the preset"), null, 2)}\n`;
}

/** Reads a preset from a file, one of `smart`'s own kind too. What is wrong with it throws `settings.invalid` naming every bad field. */
export function readPreset(text: string): Preset {
  const value = parseFile(text, "the preset");
  if (isJsonObject(value) && value.longhaul === undefined && value.strategy === undefined) {
    return fromSmart(importPreset(text));
  }
  const { longhaul: _, version: _version, ...preset } = judgeFile(presetFileSchema, value, "the preset");
  return preset;
}

/** The changes of settings that put a preset in force: everywhere, or in the profile that is named. */
export function presetEntries({ strategy, config }: Preset, profile?: string): readonly SettingEntry[] {
  const section = profile === undefined ? "context" : `${spellPath(["profiles", profile])}.context`;
  return [
    { path: `${section}.strategy`, value: strategy },
    { path: `${section}.strategies.${strategy}`, value: config },
  ];
}
