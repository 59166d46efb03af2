import type { SettingsAnswer } from "@longhaul/settings";
import { describe, expect, it } from "vitest";
import { defaultPrompt, promptAt, promptEntry } from "./prompt-place.ts";
import { EVERYWHERE } from "./scope.ts";

function makeSettings(values: Readonly<Record<string, unknown>>): Pick<SettingsAnswer, "settings"> {
  const setting = { group: "", help: "", schema: {}, isSecret: false, needsRestart: false, origin: "stored" } as const;
  return { settings: Object.entries(values).map(([path, value]) => ({ ...setting, path, isSet: true, value })) };
}

const settings = makeSettings({
  "context.prompt": "For all.",
  "context.strategies.native": { prompt: "For native.", maxSummaryTokens: 100 },
  "context.strategies.sandwich": { prompt: "For sandwich." },
});
const everywhere = { scope: EVERYWHERE, strategy: "" };
const native = { scope: EVERYWHERE, strategy: "native" };

describe("promptAt", () => {
  it("is what somebody wrote there", () => {
    expect(promptAt(settings, everywhere)).toEqual({ value: "For all.", isOwn: true });
    expect(promptAt(settings, native)).toEqual({ value: "For native.", isOwn: true });
    expect(promptAt(settings, { ...native, scope: "big" })).toEqual({ value: "For native.", isOwn: false });
    expect(promptAt(settings, { ...native, strategy: "tree-summary" })).toEqual({ value: "", isOwn: false });
  });
});

describe("defaultPrompt", () => {
  it("is the strategy's own, else that of most", () => {
    const prompts = [
      { id: "summary", use: "", text: "Sum up." },
      { id: "sandwich", use: "", text: "Sum up the middle." },
    ];
    expect(defaultPrompt({ prompts, placeholders: [] }, "sandwich")).toBe("Sum up the middle.");
    expect(defaultPrompt({ prompts, placeholders: [] }, "native")).toBe("Sum up.");
    expect(defaultPrompt({ prompts: [], placeholders: [] }, "native")).toBe("");
  });
});

describe("promptEntry", () => {
  it("sets a prompt beside the strategy's other settings", () => {
    expect(promptEntry(settings, everywhere, "New.")).toEqual({ path: "context.prompt", value: "New." });
    expect(promptEntry(settings, native, "New.")).toEqual({
      path: "context.strategies.native",
      value: { maxSummaryTokens: 100, prompt: "New." },
    });
    expect(promptEntry(settings, { scope: "a.b", strategy: "" }, "New.").path).toBe('profiles."a.b".context.prompt');
  });

  it("takes a prompt away, and nothing else", () => {
    expect(promptEntry(settings, everywhere, undefined)).toEqual({ path: "context.prompt" });
    expect(promptEntry(settings, native, undefined)).toEqual({
      path: "context.strategies.native",
      value: { maxSummaryTokens: 100 },
    });
    expect(promptEntry(settings, { ...native, strategy: "sandwich" }, undefined)).toEqual({
      path: "context.strategies.sandwich",
    });
    expect(promptEntry(settings, { scope: "big", strategy: "sandwich" }, undefined)).toEqual({
      path: "profiles.big.context.strategies.sandwich",
      value: {},
    });
  });
});
