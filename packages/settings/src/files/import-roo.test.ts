import { describe, expect, it } from "vitest";
import { layerSettings } from "../layers/layer-settings.ts";
import { importRoo } from "./import-roo.ts";

const { config } = layerSettings({
  file: {
    upstreams: { up: { kind: "openai" } },
    profiles: { "claude-sonnet-4.6": { context: {} }, cheap: { upstream: "up", model: "m" }, abc: {} },
  },
});
const imported = (file: unknown) => importRoo(JSON.stringify(file), config);

describe("importRoo", () => {
  it("imports an exported file", () => {
    const file = {
      providerProfiles: {
        currentApiConfigName: "Claude Sonnet 4.6",
        apiConfigs: {
          "Claude Sonnet 4.6": { id: "x1", apiProvider: "anthropic" },
          Cheap: { id: "x2", apiProvider: "openai" },
          "Local Qwen": { id: "x3", apiProvider: "ollama" },
        },
      },
      globalSettings: {
        autoCondenseContext: false,
        autoCondenseContextPercent: 75,
        condensingApiConfigId: "x2",
        customCondensingPrompt: "Keep all names.",
        profileThresholds: { x1: 60, x2: -1, x3: 50, abc: 100 },
        autoApprovalEnabled: true,
      },
    };
    expect(imported(file)).toEqual({
      entries: [
        { path: "context.auto", value: false },
        { path: "context.threshold", value: 75 },
        { path: "context.prompt", value: "Keep all names." },
        { path: "context.summarizer", value: "cheap" },
        { path: 'profiles."claude-sonnet-4.6".context.threshold', value: 60 },
        { path: "profiles.cheap.context.threshold", value: -1 },
        { path: "profiles.abc.context.threshold", value: 100 },
      ],
      leftOut: [
        {
          key: "profileThresholds.x3",
          why: `no profile is named after Roo Code's profile "x3"; create one with its ID or name, then import again`,
        },
      ],
    });
  });

  it("imports a file with only these keys as valid settings", () => {
    const { entries } = imported({ autoCondenseContext: true, autoCondenseContextPercent: 100 });
    const stored = Object.fromEntries(entries.map(({ path, value = null }) => [path, value]));
    expect(layerSettings({ file: {}, stored }).config.context).toMatchObject({ auto: true, threshold: 100 });
  });

  it.each([
    [{ autoCondenseContext: "yes" }, "autoCondenseContext", '"yes" is not true or false'],
    [{ autoCondenseContextPercent: 3 }, "autoCondenseContextPercent", "3 is not -1 or a number from 5 to 100"],
    [{ customCondensingPrompt: 7 }, "customCondensingPrompt", "7 is not a string"],
    [{ profileThresholds: { abc: 101 } }, "profileThresholds.abc", "101 is not -1 or a number from 5 to 100"],
    [{ condensingApiConfigId: "abc" }, "condensingApiConfigId", 'profile "abc" needs an upstream and a model'],
    [{ condensingApiConfigId: "gone" }, "condensingApiConfigId", 'profile "gone"; create one'],
  ])("says why it does not import %j", (file, key, why) => {
    expect(imported(file)).toMatchObject({ entries: [], leftOut: [{ key, why: expect.stringContaining(why) }] });
  });

  it.each([[{}], [[]], [{ customCondensingPrompt: "", condensingApiConfigId: "", profileThresholds: null }]])(
    "finds nothing in %j",
    (file) => {
      expect(imported(file)).toEqual({ entries: [], leftOut: [] });
    },
  );

  it("rejects invalid JSON", () => {
    expect(() => importRoo("x", config)).toThrow("not valid JSON");
  });
});
