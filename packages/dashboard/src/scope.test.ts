import type { SettingsAnswer } from "@longhaul/settings";
import { describe, expect, it } from "vitest";
import { configIn, contextPath, EVERYWHERE, inScope, promptIn, recordOf, spellScope, strategyIn } from "./scope.ts";

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
  it("quotes names that a path could not hold", () => {
    expect(contextPath(EVERYWHERE)).toBe("context");
    expect(contextPath("big")).toBe("profiles.big.context");
    expect(contextPath("gpt-4.1")).toBe('profiles."gpt-4.1".context');
    expect(contextPath('the "big" one')).toBe('profiles."the \\"big\\" one".context');
  });
});

describe("what holds in a scope", () => {
  it("is its own, else what holds everywhere", () => {
    expect(strategyIn(settings, EVERYWHERE)).toEqual({ value: "middle-out", isOwn: true });
    expect(strategyIn(settings, "big")).toEqual({ value: "smart", isOwn: true });
    expect(strategyIn(settings, "gpt-4.1")).toEqual({ value: "middle-out", isOwn: false });
  });

  it("is a strategy's settings as a whole", () => {
    expect(configIn(settings, "gpt-4.1", "native")).toEqual({ value: { maxSummaryTokens: 200 }, isOwn: true });
    expect(configIn(settings, "big", "native")).toEqual({ value: { maxSummaryTokens: 100 }, isOwn: false });
    expect(configIn(settings, "big", "smart")).toEqual({ value: {}, isOwn: false });
  });

  it("is a prompt, or none", () => {
    expect(promptIn(settings, "gpt-4.1")).toEqual({ value: "Little.", isOwn: true });
    expect(promptIn(settings, "big")).toEqual({ value: "Everything.", isOwn: false });
    expect(promptIn(makeSettings({}), EVERYWHERE)).toEqual({ value: "", isOwn: false });
    expect(strategyIn(makeSettings({}), EVERYWHERE).value).toBe("");
  });
});

describe("recordOf", () => {
  it("is empty for what is no object", () => {
    expect(recordOf({ a: 1 })).toEqual({ a: 1 });
    expect(recordOf([1])).toEqual({});
    expect(recordOf(undefined)).toEqual({});
  });
});

describe("a scope", () => {
  it("is told where it is a profile's", () => {
    expect([inScope(EVERYWHERE), spellScope(EVERYWHERE)]).toEqual([{}, ""]);
    expect([inScope("cheap"), spellScope("cheap")]).toEqual([{ profile: "cheap" }, " in the profile cheap"]);
  });
});
