import { expect, it } from "vitest";
import { findModel } from "../catalog/find-model.ts";
import { loadCatalog } from "../catalog/load-catalog.ts";
import { applyPatterns, matchesPattern, withLevelsOnly } from "./reasoning-patterns.ts";

const catalog = loadCatalog();
const modelOf = (name: string) => findModel(catalog, name).model;

it("makes a model reason that the settings name, by the last line that fits", () => {
  const { reasoning } = applyPatterns(modelOf("gpt-4o"), { "gpt-4*": "none", "gpt-4o": "effort" });
  expect(reasoning).toEqual({
    kind: "effort",
    levels: ["none", "low", "medium", "high"],
    thinkingTypes: [],
    onByDefault: false,
    mandatory: false,
    alwaysOnAt: [],
  });
  expect(applyPatterns(modelOf("o4-mini"), { "o4*": "none" }).reasoning).toMatchObject({ kind: "none", levels: [] });
});

it.each([
  ["effort", { levels: ["none", "low", "medium", "high"], thinkingTypes: [] }],
  ["level", { levels: ["none", "low", "medium", "high"], thinkingTypes: [] }],
  ["budget", { levels: ["none"], thinkingTypes: ["enabled", "disabled"], minBudgetTokens: 1_024 }],
  ["adaptive", { levels: ["none", "low", "medium", "high"], thinkingTypes: ["adaptive", "disabled"] }],
] as const)("takes for granted of a model with %s that it takes %j", (kind, facts) => {
  expect(applyPatterns(modelOf("gpt-4o"), { "*": kind }).reasoning).toMatchObject({ kind, ...facts });
});

it("lets no model think by default that cannot", () => {
  const model = modelOf("claude-opus-5");
  const [none, effort] = (["none", "effort"] as const).map((kind) => applyPatterns(model, { "*": kind }).reasoning);
  expect([model.reasoning.onByDefault, none?.onByDefault, effort?.onByDefault]).toEqual([true, false, true]);
});

it("keeps the catalog's facts where they say the same, or no line fits", () => {
  const model = modelOf("o4-mini");
  expect(applyPatterns(model, { "o4*": "effort", "claude*": "budget" })).toBe(model);
});

it("tells which names a line is about", () => {
  expect(["my-thinker", "MY-thinker-2", "other"].map((name) => matchesPattern(name, { "my-*": "effort" }))).toEqual([
    true,
    true,
    false,
  ]);
});

it("says budgets in levels", () => {
  expect(withLevelsOnly(modelOf("claude-opus-4")).reasoning).toMatchObject({
    kind: "effort",
    levels: ["none", "low", "medium", "high"],
    thinkingTypes: [],
  });
  expect(withLevelsOnly(modelOf("claude-opus-5")).reasoning.levels).toEqual(modelOf("claude-opus-5").reasoning.levels);
  const same = [modelOf("gpt-4o"), modelOf("o4-mini"), modelOf("o1-mini")];
  expect(same.map(withLevelsOnly)).toEqual(same);
});
