import { describe, expect, it } from "vitest";
import { exportPreset, importPreset, PRESETS } from "./presets.ts";

describe("exportPreset and importPreset", () => {
  it.each(PRESETS.map((preset) => [preset.name, preset] as const))("round-trip %s", (_, preset) => {
    expect(importPreset(exportPreset(preset))).toEqual(preset);
  });

  it("fill in defaults", () => {
    const sparse = { version: 1, id: "mine", name: "Mine", description: "", config: { passes: [] } };
    expect(importPreset(JSON.stringify(sparse)).config).toMatchObject({
      losslessPrelude: { enabled: true, operations: { deduplicateFileReads: true } },
      preserveUserMessages: true,
      passes: [],
    });
  });

  it.each([
    ["text that is not JSON", "{", /not valid JSON/],
    ["another version", JSON.stringify({ ...PRESETS[0], version: 2 }), /version:/],
    ["a field that nobody knows", JSON.stringify({ ...PRESETS[0], colour: "red" }), /colour/],
    ["a configuration that is wrong deep inside", wrong(), /config\.passes\.0\.selection\.keepRecentCount:/],
    ["two passes of one name", doubled(), /config\.passes: two passes have the same ID/],
  ])("reject %s, naming it", (_, text, message) => {
    expect(() => importPreset(text)).toThrow(
      expect.objectContaining({ code: "settings.invalid", message: expect.stringMatching(message) }),
    );
  });

  it("do not serialize an invalid preset", () => {
    const [preset] = PRESETS;
    expect(() => exportPreset({ ...preset!, id: "Not an id" })).toThrow(/id: use lowercase letters/);
  });
});

function wrong(): string {
  return exportPreset(PRESETS[0]!).replace('"keepRecentCount": 10', '"keepRecentCount": -1');
}

function doubled(): string {
  const preset = PRESETS[0]!;
  return JSON.stringify({ ...preset, config: { passes: [preset.config.passes[0], preset.config.passes[0]] } });
}
