import { LonghaulError } from "@longhaul/conversation";
import { BUILT_IN_PRESETS, type Preset, presetEntries, readPreset, writePreset } from "@longhaul/settings";
import type { StoredPreset } from "@longhaul/store";
import {
  applyPresetSchema,
  importPresetSchema,
  presetBodySchema,
  presetSchema,
  presetsSchema,
  removedSchema,
} from "../api/presets.ts";
import { settingsChangedSchema } from "../api/settings.ts";
import { type AdminContext, type Route, route, sendFile } from "./route.ts";
import { changeAsAdmin } from "./settings-routes.ts";

const IMPORT_BYTES = 16 * 1024 * 1024;

export const PRESET_ROUTES: readonly Route[] = [
  route("GET", "/presets", {
    summary: "Lists the presets: built-in ones, then your own.",
    answer: presetsSchema,
    run: async (_, { store }) => ({
      presets: [...BUILT_IN_PRESETS.map(shown), ...(await store.presets.list()).map(shown)],
    }),
  }),
  route("PUT", "/presets/:name", {
    summary: "Creates or replaces a preset.",
    body: presetBodySchema,
    answer: presetSchema,
    run: ({ params: { name = "" }, body }, context) => save({ name, ...body }, context),
  }),
  route("DELETE", "/presets/:name", {
    summary: "Removes a preset. Settings that it was applied to stay.",
    answer: removedSchema,
    run: async ({ params: { name = "" } }, { store }) => {
      if (!(await store.presets.remove(name))) throw isBuiltIn(name) ? fixed(name) : unknown(name);
      return { removed: true };
    },
  }),
  route("POST", "/presets/:name/apply", {
    summary: "Applies a preset to the global settings or to one profile.",
    body: applyPresetSchema,
    answer: settingsChangedSchema,
    run: async ({ params: { name = "" }, body: { profile, ...change } }, context) => {
      if (profile !== undefined && !(profile in context.settings.layered.config.profiles)) {
        throw new LonghaulError("request.not-kept", `profile "${profile}" not found`);
      }
      return changeAsAdmin(context, { ...change, entries: presetEntries(await findPreset(name, context), profile) });
    },
  }),
  route("GET", "/presets/:name/export", {
    summary: "Returns a preset as a file.",
    answer: { contentType: "application/json" },
    run: async ({ params: { name = "" } }, context) =>
      sendFile(`${name}.preset.json`, writePreset(await findPreset(name, context))),
  }),
  route("POST", "/presets/import", {
    summary: "Saves the preset of a file.",
    body: importPresetSchema,
    maxBytes: IMPORT_BYTES,
    answer: presetSchema,
    run: async ({ body: { text, mayReplace } }, context) => {
      const preset = readPreset(text);
      if (!mayReplace && (await context.store.presets.find(preset.name)) !== undefined) {
        throw new LonghaulError("store.conflict", `preset "${preset.name}" already exists; replace or rename it`);
      }
      return save(preset, context);
    },
  }),
];

async function save(preset: Preset, { store, nowMs }: AdminContext) {
  // Everything that is saved can be exported and imported.
  const checked = readPreset(writePreset(preset));
  if (isBuiltIn(checked.name)) throw fixed(checked.name);
  const stored = { ...checked, changedAtMs: nowMs() };
  await store.presets.put(stored);
  return shown(stored);
}

/** Returns a built-in or saved preset. An unknown name throws `request.not-kept`. */
export async function findPreset(name: string, { store }: Pick<AdminContext, "store">): Promise<Preset> {
  const found = BUILT_IN_PRESETS.find((preset) => preset.name === name) ?? (await store.presets.find(name));
  if (found === undefined) throw unknown(name);
  return found;
}

function shown(preset: Preset | StoredPreset) {
  return { ...preset, isBuiltIn: !("changedAtMs" in preset) };
}

function isBuiltIn(name: string): boolean {
  return BUILT_IN_PRESETS.some((preset) => preset.name === name);
}

function fixed(name: string): LonghaulError {
  return new LonghaulError("store.conflict", `"${name}" is a built-in preset; choose another name`);
}

function unknown(name: string): LonghaulError {
  return new LonghaulError("request.not-kept", `preset "${name}" not found`);
}
