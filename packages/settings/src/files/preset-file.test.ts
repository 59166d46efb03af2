import { describe, expect, it } from "vitest";
import { layerSettings } from "../layers/layer-settings.ts";
import { mergeContext } from "../schema/context-config.ts";
import { BUILT_IN_PRESETS, presetEntries, readPreset, writePreset } from "./preset-file.ts";

const PRESET = { name: "Mine", description: "For long nights.", strategy: "sandwich", config: { preserveTop: 3 } };

describe("preset files", () => {
  it("are read as they were written", () => {
    expect(readPreset(writePreset(PRESET))).toEqual(PRESET);
    expect(JSON.parse(writePreset(PRESET))).toEqual({ longhaul: "preset", version: 1, ...PRESET });
  });

  it.each(BUILT_IN_PRESETS.map((preset) => [preset.name, preset] as const))("may contain %s", (_, preset) => {
    expect(readPreset(writePreset(preset))).toEqual(preset);
  });

  it("may have smart's own format", () => {
    const own = { version: 1, id: "own", name: "Own", description: "d", config: { passes: [] } };
    expect(readPreset(JSON.stringify(own))).toMatchObject({
      name: "Own",
      description: "d",
      strategy: "smart",
      config: { passes: [] },
    });
  });

  it.each([
    ["invalid JSON", "{", "the preset is not valid JSON"],
    ["another version", { ...PRESET, longhaul: "preset", version: 2 }, "version: "],
    ["another file of ours", { longhaul: "settings", version: 2, settings: {} }, "longhaul: "],
    ["a strategy that is none", { longhaul: "preset", version: 1, ...PRESET, strategy: "x" }, "strategy: "],
    [
      "bad settings",
      { longhaul: "preset", version: 1, ...PRESET, config: { preserveTop: -1 } },
      "config.preserveTop: ",
    ],
    ["no name", { longhaul: "preset", version: 1, ...PRESET, name: " " }, "name: "],
    ["a list", [], "the preset has 1 error"],
  ])("are rejected with %s", (_, file, fault) => {
    const text = typeof file === "string" ? file : JSON.stringify(file);
    expect(() => readPreset(text)).toThrow(
      expect.objectContaining({ code: "settings.invalid", message: expect.stringContaining(fault) }),
    );
  });

  it("are not written if they could not be read", () => {
    expect(() => writePreset({ ...PRESET, config: { preserveTop: -1 } })).toThrow("config.preserveTop");
  });
});

describe("presetEntries", () => {
  const stored = (profile?: string) =>
    Object.fromEntries(presetEntries(PRESET, profile).map(({ path, value = null }) => [path, value]));

  it("applies a preset globally", () => {
    const { config } = layerSettings({ file: {}, stored: stored() });
    expect(mergeContext(config.context)).toMatchObject({ strategy: "sandwich", config: { preserveTop: 3 } });
  });

  it("applies a preset to one profile", () => {
    const { config, leftOut } = layerSettings({ file: { profiles: { "a.b": {} } }, stored: stored("a.b") });
    expect(leftOut).toEqual([]);
    expect(config.context.strategy).toBe("smart");
    expect(mergeContext(config.context, config.profiles["a.b"]?.context).config).toEqual({ preserveTop: 3 });
  });
});
