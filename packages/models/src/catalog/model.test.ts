import { expect, it } from "vitest";
import { loadCatalog } from "./load-catalog.ts";
import { EFFORT_LEVELS, factsSchema, modelSchema } from "./model.ts";

const { models } = loadCatalog();

it("validates every model of the catalog", () => {
  for (const model of models) expect(modelSchema.parse(model)).toEqual(model);
  expect(models.length).toBeGreaterThan(700);
});

it("has each id once per platform", () => {
  const ids = models.map(({ platform, id }) => `${platform}/${id}`);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

it("has limits within the window", () => {
  const broken = models.filter((model) => model.maxOutput > model.window || (model.maxInput ?? 0) > model.window);
  expect(broken).toEqual([]);
});

it("has prices for every listed model, with tiers in ascending order", () => {
  expect(models.filter(({ prices }) => prices === undefined)).toEqual([]);
  const starts = models.map(({ prices }) => prices?.tiers.map(({ aboveInputTokens }) => aboveInputTokens) ?? []);
  expect(starts.filter((above) => above.some((start, index) => start <= (above[index - 1] ?? 0)))).toEqual([]);
});

it("lists effort levels in ascending order, and none for models without reasoning", () => {
  for (const { reasoning } of models) {
    expect(reasoning.levels).toEqual(EFFORT_LEVELS.filter((level) => reasoning.levels.includes(level)));
    if (reasoning.kind === "none") expect(reasoning).toMatchObject({ levels: [], mandatory: false, thinkingTypes: [] });
    if (reasoning.mandatory) expect(reasoning.levels).not.toContain("none");
  }
});

it("rejects facts with an unknown field", () => {
  expect(factsSchema.safeParse({ windows: 5 }).success).toBe(false);
  expect(factsSchema.safeParse({ prices: { inputs: 5 } }).success).toBe(false);
  expect(factsSchema.safeParse({ window: undefined }).success).toBe(false);
});
