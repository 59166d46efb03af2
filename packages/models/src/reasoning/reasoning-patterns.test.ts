import { expect, it } from "vitest";
import { findModel } from "../catalog/find-model.ts";
import { loadCatalog } from "../catalog/load-catalog.ts";
import { applyPatterns, matchesPattern, withLevelsOnly } from "./reasoning-patterns.ts";

const catalog = loadCatalog();
const modelOf = (name: string) => findModel(catalog, name).model;

it("applies the last matching pattern to a model", () => {
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
] as const)("assumes for a model with %s %j", (kind, facts) => {
  expect(applyPatterns(modelOf("gpt-4o"), { "*": kind }).reasoning).toMatchObject({ kind, ...facts });
});

it("never enables reasoning by default for a model without it", () => {
  const model = modelOf("claude-opus-5");
  const [none, effort] = (["none", "effort"] as const).map((kind) => applyPatterns(model, { "*": kind }).reasoning);
  expect([model.reasoning.onByDefault, none?.onByDefault, effort?.onByDefault]).toEqual([true, false, true]);
});

it("keeps the catalog's facts if they agree, or if no pattern matches", () => {
  const model = modelOf("o4-mini");
  expect(applyPatterns(model, { "o4*": "effort", "claude*": "budget" })).toBe(model);
});

it("matches names against patterns", () => {
  expect(["my-thinker", "MY-thinker-2", "other"].map((name) => matchesPattern(name, { "my-*": "effort" }))).toEqual([
    true,
    true,
    false,
  ]);
});

it("converts budgets to levels", () => {
  expect(withLevelsOnly(modelOf("claude-opus-4")).reasoning).toMatchObject({
    kind: "effort",
    levels: ["none", "low", "medium", "high"],
    thinkingTypes: [],
  });
  expect(withLevelsOnly(modelOf("claude-opus-5")).reasoning.levels).toEqual(modelOf("claude-opus-5").reasoning.levels);
  const same = [modelOf("gpt-4o"), modelOf("o4-mini"), modelOf("o1-mini")];
  expect(same.map(withLevelsOnly)).toEqual(same);
});
