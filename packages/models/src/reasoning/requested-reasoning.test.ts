import { describe, expect, it } from "vitest";
import { findModel } from "../catalog/find-model.ts";
import { loadCatalog } from "../catalog/load-catalog.ts";
import { formatReasoning, parseReasoning, reasoningFromRequest, reasoningFromSettings } from "./requested-reasoning.ts";

it.each([
  ["1k", { kind: "budget", tokens: 1_024 }],
  ["4k", { kind: "budget", tokens: 4_096 }],
  ["8K", { kind: "budget", tokens: 8_192 }],
  ["100k", { kind: "budget", tokens: 102_400 }],
  ["8000", { kind: "budget", tokens: 8_000 }],
  ["99", { kind: "budget", tokens: 99 }],
  ["0", { kind: "budget", tokens: 0 }],
  ["-5", { kind: "budget", tokens: -5 }],
  ["9".repeat(30), { kind: "budget", tokens: Number.MAX_SAFE_INTEGER }],
  [`-${"9".repeat(30)}k`, { kind: "budget", tokens: Number.MIN_SAFE_INTEGER }],
  ["High", { kind: "effort", effort: "high" }],
  ["xhigh", { kind: "effort", effort: "xhigh" }],
  ["none", { kind: "off" }],
  ["auto", { kind: "auto" }],
])("parses %s", (text, requested) => {
  expect(parseReasoning(text)).toEqual(requested);
});

it.each(["", "k", "20b", "1.5k", "4 k", "ultra", "free", "1e3", "0x10"])("returns undefined for %j", (text) => {
  expect(parseReasoning(text)).toBeUndefined();
});

it("formats requested reasoning", () => {
  expect(
    ["high", "4k", "none", "auto"].map((text) => formatReasoning(parseReasoning(text) ?? { kind: "off" })),
  ).toEqual(["high", "4096 tokens", "off", "auto"]);
});

describe("reasoningFromEffort", () => {
  const catalog = loadCatalog();
  const modelOf = (name: string) => findModel(catalog, name).model;

  describe("reasoningFromSettings", () => {
    it("uses the budget for models with budgets, and the level for others", () => {
      const both = { effort: "low", maxTokens: 4_000 } as const;
      expect(reasoningFromSettings(both, modelOf("claude-opus-4"))).toEqual({ kind: "budget", tokens: 4_000 });
      expect(reasoningFromSettings(both, modelOf("claude-opus-4-6"))).toEqual({ kind: "budget", tokens: 4_000 });
      expect(reasoningFromSettings(both, modelOf("o4-mini"))).toEqual({ kind: "effort", effort: "low" });
      expect(reasoningFromSettings({ maxTokens: 4_000 }, modelOf("o4-mini"))).toBeUndefined();
      expect(reasoningFromSettings({ effort: "low" }, modelOf("claude-opus-4"))).toEqual({
        kind: "effort",
        effort: "low",
      });
      expect(reasoningFromSettings({ effort: "none" }, modelOf("claude-opus-4"))).toEqual({ kind: "off" });
      expect(reasoningFromSettings({}, modelOf("o4-mini"))).toBeUndefined();
    });
  });

  it.each([
    [{ mode: "off", effort: "max" }, { kind: "off" }],
    [
      { mode: "budget", budgetTokens: 100, effort: "high" },
      { kind: "budget", tokens: 100 },
    ],
    [
      { mode: "budget", effort: "high" },
      { kind: "effort", effort: "high" },
    ],
    [
      { mode: "effort", effort: "high" },
      { kind: "effort", effort: "high" },
    ],
    [{ mode: "effort", effort: "none" }, { kind: "off" }],
    [
      { mode: "adaptive", effort: "low" },
      { kind: "effort", effort: "low" },
    ],
    [{ mode: "adaptive" }, { kind: "auto" }],
  ] as const)("reads a request's %j", (reasoning, requested) => {
    expect(reasoningFromRequest(reasoning)).toEqual(requested);
  });
});
