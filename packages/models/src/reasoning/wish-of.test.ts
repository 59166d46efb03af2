import { describe, expect, it } from "vitest";
import { findModel } from "../catalog/find-model.ts";
import { loadCatalog } from "../catalog/load-catalog.ts";
import { wishOfReasoning, wishOfSettings } from "./wish-of.ts";

const catalog = loadCatalog();
const modelOf = (name: string) => findModel(catalog, name).model;

describe("wishOfSettings", () => {
  it("takes the budget for models that have budgets, the level for the others, and either where there is only one", () => {
    const both = { effort: "low", maxTokens: 4_000 } as const;
    expect(wishOfSettings(both, modelOf("claude-opus-4"))).toEqual({ kind: "budget", tokens: 4_000 });
    expect(wishOfSettings(both, modelOf("claude-opus-4-6"))).toEqual({ kind: "budget", tokens: 4_000 });
    expect(wishOfSettings(both, modelOf("o4-mini"))).toEqual({ kind: "effort", effort: "low" });
    expect(wishOfSettings({ maxTokens: 4_000 }, modelOf("o4-mini"))).toEqual({ kind: "budget", tokens: 4_000 });
    expect(wishOfSettings({ effort: "none" }, modelOf("claude-opus-4"))).toEqual({ kind: "off" });
    expect(wishOfSettings({}, modelOf("o4-mini"))).toBeUndefined();
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
] as const)("reads the wish in a request's %j", (reasoning, wish) => {
  expect(wishOfReasoning(reasoning)).toEqual(wish);
});
