import { describe, expect, it } from "vitest";
import { findModel } from "./find-model.ts";
import { loadCatalog } from "./load-catalog.ts";
import type { Model } from "./model.ts";
import { CLAUDE } from "./overlay-claude.ts";

const catalog = loadCatalog();

function model(name: string, platform = "anthropic"): Model {
  return findModel(catalog, name, platform).model;
}

const ALL = ["low", "medium", "high", "xhigh", "max"];

describe("thinking", () => {
  it.each([
    ["claude-fable-5-1", "adaptive", true, true, ALL],
    ["claude-fable-5", "adaptive", true, true, ALL],
    ["claude-mythos-5-1", "adaptive", true, true, ALL],
    ["claude-mythos-5", "adaptive", true, true, ALL],
    ["claude-mythos-preview", "adaptive enabled", true, true, ALL],
    ["claude-opus-5-5", "adaptive", true, true, ALL],
    ["claude-sonnet-5-5", "adaptive", true, true, ALL],
    ["claude-haiku-5-5", "adaptive disabled", true, false, ["none", ...ALL]],
    ["claude-opus-5", "adaptive disabled", true, false, ["none", ...ALL]],
    ["claude-sonnet-5", "adaptive disabled", true, false, ["none", ...ALL]],
    ["claude-opus-4-8", "adaptive disabled", false, false, ["none", ...ALL]],
    ["claude-opus-4-7", "adaptive disabled", false, false, ["none", ...ALL]],
    ["claude-opus-4-6", "adaptive enabled disabled", false, false, ["none", "low", "medium", "high", "max"]],
    ["claude-sonnet-4-6", "adaptive enabled disabled", false, false, ["none", "low", "medium", "high", "max"]],
    ["claude-opus-4-5", "enabled disabled", false, false, ["none", "low", "medium", "high"]],
    ["claude-haiku-4-5", "enabled disabled", false, false, ["none"]],
    ["claude-sonnet-4-5-20250929", "enabled disabled", false, false, ["none"]],
    ["claude-opus-4-1", "enabled disabled", false, false, ["none"]],
    ["claude-sonnet-4-20250514", "enabled disabled", false, false, ["none"]],
    ["claude-3-7-sonnet-latest", "enabled disabled", false, false, ["none"]],
    ["claude-3-5-sonnet", "", false, false, []],
  ])("of %s is %s", (name, types, onByDefault, mandatory, levels) => {
    const { reasoning } = model(name);
    expect(reasoning).toMatchObject({
      onByDefault,
      mandatory,
      levels,
      thinkingTypes: types === "" ? [] : types.split(" "),
    });
  });

  it("cannot be turned off on Opus 5 at the highest effort levels", () => {
    expect(model("claude-opus-5").reasoning.alwaysOnAt).toEqual(["xhigh", "max"]);
    expect(model("claude-sonnet-5").reasoning.alwaysOnAt).toEqual([]);
  });

  it("has a minimum budget if there are budgets", () => {
    expect(model("claude-haiku-4-5").reasoning).toMatchObject({ kind: "budget", minBudgetTokens: 1_024 });
    expect(model("claude-opus-4-7").reasoning).not.toHaveProperty("minBudgetTokens");
  });
});

it.each([
  ["claude-haiku-4-5", "system-message"],
  ["claude-opus-4-6", "prefill system-message"],
  ["claude-sonnet-4-6", "prefill system-message"],
  ["claude-opus-4-7", "temperature top_p top_k prefill system-message"],
  ["claude-opus-4-8", "temperature top_p top_k prefill"],
  ["claude-opus-5", "temperature top_p top_k prefill"],
  ["claude-sonnet-5", "temperature top_p top_k prefill system-message"],
  ["claude-fable-5", "temperature top_p top_k prefill"],
  ["claude-fable-5-1", "temperature top_p top_k prefill forced-tool-choice"],
  ["claude-mythos-5-1", "temperature top_p top_k prefill forced-tool-choice"],
])("%s rejects %s", (name, rejects) => {
  expect(model(name).rejects).toEqual(rejects.split(" "));
});

it("binds thinking since Fable 5.1", () => {
  const binding = [
    "claude-fable-5-1",
    "claude-mythos-5-1",
    "claude-opus-5-5",
    "claude-sonnet-5-5",
    "claude-haiku-5-5",
    "claude-opus-6",
  ];
  const free = [
    "claude-fable-5",
    "claude-mythos-5",
    "claude-opus-5",
    "claude-sonnet-5",
    "claude-opus-4-8",
    "claude-haiku-4-5",
  ];
  expect(binding.filter((name) => !model(name).bindsThinking)).toEqual([]);
  expect(free.filter((name) => model(name).bindsThinking)).toEqual([]);
});

it.each([
  ["claude-fable-5", true, true],
  ["claude-opus-4-6", true, true],
  ["claude-opus-4-7", true, true],
  ["claude-opus-4-8", true, true],
  ["claude-opus-5", true, true],
  ["claude-sonnet-4-6", true, true],
  ["claude-sonnet-5", true, true],
  ["claude-mythos-preview", true, true],
  ["claude-fable-5-1", false, true],
  ["claude-opus-5-5", false, true],
  ["claude-haiku-5-5", false, true],
  ["claude-opus-4-5", false, false],
  ["claude-3-5-sonnet", false, false],
])("%s compacts at a threshold: %s, on demand: %s", (name, threshold, onDemand) => {
  expect(model(name).compaction).toEqual({ threshold, onDemand });
  expect(model(name, "bedrock").compaction.onDemand).toBe(false);
});

it("has the betas of its platform", () => {
  expect(model("claude-opus-5").betas).toHaveProperty("thinking-binding");
  expect(model("claude-opus-5", "vertex").betas).not.toHaveProperty("mcp");
  expect(model("claude-opus-5", "bedrock").betas).toHaveProperty("fallback-credit", "fallback-credit-2026-06-09");
  expect(model("claude-opus-5", "openrouter").betas).toEqual({});
});

it("accepts more images with a larger window", () => {
  expect(model("claude-opus-5").images).toEqual({
    supported: true,
    maxCount: 600,
    maxBytes: 5 * 1024 * 1024,
    maxSide: 8_000,
  });
  expect(model("claude-haiku-4-5").images.maxCount).toBe(100);
  expect(model("claude-2").images.supported).toBe(false);
});

it("is only about Claude", () => {
  const others = CLAUDE.filter(({ match, platform }) => !match.includes("claude") && platform !== "anthropic");
  expect(others).toEqual([]);
});
