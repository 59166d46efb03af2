import type { SettingsAnswer } from "@longhaul/admin/api";
import { describe, expect, it } from "vitest";
import {
  configIn,
  contextPath,
  defaultPrompt,
  GLOBAL,
  promptAt,
  promptEntry,
  promptIn,
  recordOf,
  scopeQuery,
  scopeSuffix,
  settingValue,
  storedPath,
  strategyIn,
} from "./scope.tsx";

function makeSettings(values: Readonly<Record<string, unknown>>): Pick<SettingsAnswer, "settings"> {
  const setting = { group: "", help: "", schema: {}, isSecret: false, needsRestart: false, origin: "stored" } as const;
  return { settings: Object.entries(values).map(([path, value]) => ({ ...setting, path, isSet: true, value })) };
}

const settings = makeSettings({
  "context.strategy": "middle-out",
  "context.strategies.native": { maxSummaryTokens: 100 },
  "context.prompt": "Everything.",
  "profiles.big.context.strategy": "smart",
  'profiles."gpt-4.1".context.strategies.native': { maxSummaryTokens: 200 },
  'profiles."gpt-4.1".context.prompt': "Little.",
});

describe("contextPath", () => {
  it("quotes names with dots, quotes or spaces", () => {
    expect(contextPath(GLOBAL)).toBe("context");
    expect(contextPath("big")).toBe("profiles.big.context");
    expect(contextPath("gpt-4.1")).toBe('profiles."gpt-4.1".context');
    expect(contextPath('the "big" one')).toBe('profiles."the \\"big\\" one".context');
  });
});

describe("the effective value in a scope", () => {
  it("is its own strategy, or else the global one", () => {
    expect(strategyIn(settings, GLOBAL)).toEqual({ value: "middle-out", isSetHere: true });
    expect(strategyIn(settings, "big")).toEqual({ value: "smart", isSetHere: true });
    expect(strategyIn(settings, "gpt-4.1")).toEqual({ value: "middle-out", isSetHere: false });
  });

  it("is the whole configuration of a strategy, not merged with the global one", () => {
    expect(configIn(settings, "gpt-4.1", "native")).toEqual({ value: { maxSummaryTokens: 200 }, isSetHere: true });
    expect(configIn(settings, "big", "native")).toEqual({ value: { maxSummaryTokens: 100 }, isSetHere: false });
    expect(configIn(settings, "big", "smart")).toEqual({ value: {}, isSetHere: false });
  });

  it("is its own prompt, the global one, or empty", () => {
    expect(promptIn(settings, "gpt-4.1")).toEqual({ value: "Little.", isSetHere: true });
    expect(promptIn(settings, "big")).toEqual({ value: "Everything.", isSetHere: false });
    expect(promptIn(makeSettings({}), GLOBAL)).toEqual({ value: "", isSetHere: false });
    expect(strategyIn(makeSettings({}), GLOBAL).value).toBe("");
  });
});

describe("recordOf", () => {
  it("returns an empty object for other values", () => {
    expect(recordOf({ a: 1 })).toEqual({ a: 1 });
    expect(recordOf([1])).toEqual({});
    expect(recordOf(undefined)).toEqual({});
  });
});

describe("scopeQuery and scopeSuffix", () => {
  it("name the profile, and nothing for the global scope", () => {
    expect([scopeQuery(GLOBAL), scopeSuffix(GLOBAL)]).toEqual([{}, ""]);
    expect([scopeQuery("cheap"), scopeSuffix("cheap")]).toEqual([{ profile: "cheap" }, " for profile cheap"]);
  });
});

it("returns the value of a setting", () => {
  const setting = {
    path: "context.strategy",
    group: "context",
    help: "",
    schema: {},
    isSecret: false,
    needsRestart: false,
    origin: "file" as const,
    isSet: true,
    value: "smart",
  };
  expect(settingValue({ settings: [setting] }, "context.strategy")).toBe("smart");
  expect(settingValue({ settings: [setting] }, "context.mode")).toBeUndefined();
});

it.each([
  ["context.threshold", "context.threshold", "context.threshold"],
  ["upstreams.claude.apiKey", "upstreams.*.apiKey", "upstreams.claude.apiKey"],
  ['profiles."gpt-4.1 \\"x.y\\"".model', "profiles.*.model", 'profiles."gpt-4.1 \\"x.y\\"".model'],
  ["routes.0.match", "routes", "routes"],
  ["server.adminToken", undefined, "server.adminToken"],
])("stores %s, which is part of %s, as %s", (path, storedAs, changed) => {
  expect(storedPath({ path, ...(storedAs === undefined ? {} : { storedAs }) })).toBe(changed);
});

const prompted = makeSettings({
  "context.prompt": "For all.",
  "context.strategies.native": { prompt: "For native.", maxSummaryTokens: 100 },
  "context.strategies.sandwich": { prompt: "For sandwich." },
});
const everywhere = { scope: GLOBAL, strategy: "" };
const native = { scope: GLOBAL, strategy: "native" };

describe("promptAt", () => {
  it("returns the prompt of the strategy in the scope, or the global one", () => {
    expect(promptAt(prompted, everywhere)).toEqual({ value: "For all.", isSetHere: true });
    expect(promptAt(prompted, native)).toEqual({ value: "For native.", isSetHere: true });
    expect(promptAt(prompted, { ...native, scope: "big" })).toEqual({ value: "For native.", isSetHere: false });
    expect(promptAt(prompted, { ...native, strategy: "tree-summary" })).toEqual({ value: "", isSetHere: false });
  });
});

describe("defaultPrompt", () => {
  it("returns the strategy's own default, or else the first one", () => {
    const prompts = [
      { id: "summary", use: "", text: "Sum up.", strategies: ["native", "smart"] },
      { id: "sandwich", use: "", text: "Sum up the middle.", strategies: ["sandwich"] },
    ];
    expect(defaultPrompt({ prompts, placeholders: [] }, "sandwich")).toBe("Sum up the middle.");
    expect(defaultPrompt({ prompts, placeholders: [] }, "native")).toBe("Sum up.");
    expect(defaultPrompt({ prompts, placeholders: [] }, "")).toBe("Sum up.");
    expect(defaultPrompt({ prompts: [], placeholders: [] }, "native")).toBe("");
  });
});

describe("promptEntry", () => {
  it("sets a prompt and keeps the strategy's other settings", () => {
    expect(promptEntry(prompted, everywhere, "New.")).toEqual({ path: "context.prompt", value: "New." });
    expect(promptEntry(prompted, native, "New.")).toEqual({
      path: "context.strategies.native",
      value: { maxSummaryTokens: 100, prompt: "New." },
    });
    expect(promptEntry(prompted, { scope: "a.b", strategy: "" }, "New.").path).toBe('profiles."a.b".context.prompt');
  });

  it("removes only the prompt", () => {
    expect(promptEntry(prompted, everywhere, undefined)).toEqual({ path: "context.prompt" });
    expect(promptEntry(prompted, native, undefined)).toEqual({
      path: "context.strategies.native",
      value: { maxSummaryTokens: 100 },
    });
    expect(promptEntry(prompted, { ...native, strategy: "sandwich" }, undefined)).toEqual({
      path: "context.strategies.sandwich",
    });
    expect(promptEntry(prompted, { scope: "big", strategy: "sandwich" }, undefined)).toEqual({
      path: "profiles.big.context.strategies.sandwich",
      value: {},
    });
  });
});
