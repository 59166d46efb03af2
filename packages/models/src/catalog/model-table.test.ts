import { expect, it, vi } from "vitest";
import { compileRules } from "./assemble.ts";
import { FAMILIES } from "./families.ts";
import { loadCatalog } from "./load-catalog.ts";
import type { Facts } from "./model.ts";
import { indexByKey, type ListedModel, type ModelTable, makeModelTable, sortByLikelihood } from "./model-table.ts";

function makeLine(id: string, facts: Facts = { window: 1_000 }) {
  return { subject: { platform: "other", id, name: id }, facts: vi.fn(() => facts) } satisfies ListedModel;
}

function tableOf(lines: readonly ListedModel[], overrides: Readonly<Record<string, Facts>> = {}): ModelTable {
  const rules = Object.entries(overrides).map(([match, facts]) => ({ match, facts, source: "test" }));
  return makeModelTable(() => lines, { families: compileRules(FAMILIES), overlay: [], overrides: compileRules(rules) });
}

it("assembles a model once, on first use", () => {
  const [wanted, other] = [makeLine("wanted"), makeLine("other")];
  const table = tableOf([wanted, other]);
  expect(wanted.facts).not.toHaveBeenCalled();
  const [model] = table.byKey("wanted");
  expect(table.byKey("wanted")[0]).toBe(model);
  expect(table.all()[0]).toBe(model);
  expect(wanted.facts).toHaveBeenCalledOnce();
  expect(table.all().map(({ id }) => id)).toEqual(["wanted", "other"]);
});

it("does not read the list before the first use", () => {
  const list = vi.fn(() => [makeLine("wanted")]);
  const table = makeModelTable(list, { families: compileRules(FAMILIES), overlay: [], overrides: [] });
  expect(list).not.toHaveBeenCalled();
  expect(table.byKey("wanted")).toEqual(table.all());
  expect(list).toHaveBeenCalledOnce();
});

it("returns nothing for an unknown key", () => {
  expect(tableOf([makeLine("known")]).byKey("unknown")).toEqual([]);
});

it("indexes aliases in lower case", () => {
  const table = tableOf([makeLine("m-1")], { "m-*": { aliases: ["My-Model"] } });
  expect(table.byKey("my-model").map(({ id }) => id)).toEqual(["m-1"]);
});

it("keeps a model's own entry apart from overlays", () => {
  const table = tableOf([makeLine("m-1", { window: 1_000 })], { "m-*": { window: 7 } });
  const [model] = table.all();
  expect(model?.window).toBe(7);
  expect(model && table.ownFacts(model)).toEqual({ window: 1_000 });
});

it("rejects an invalid override at creation", () => {
  const overrides = { "m-1": { prices: { input: 1 } } };
  expect(() => tableOf([makeLine("m-1"), makeLine("m-2")], overrides)).toThrow(
    /"m-1" has prices without input or output/,
  );
  expect(() => tableOf([makeLine("m-2")], overrides)).not.toThrow();
});

it("indexes a listed model by its id, its bare id and the vendor's name", () => {
  const { modelsUnder } = loadCatalog();
  const id = "eu.anthropic.claude-haiku-4-5-20251001-v1:0";
  for (const key of [id, "claude-haiku-4-5-20251001", "claude-haiku-4-5"]) {
    expect(modelsUnder(key).filter((model) => model.id === id)).toHaveLength(1);
  }
  expect(modelsUnder("claude-haiku")).toEqual([]);
});

it("does not treat a moving name as the model of that name", () => {
  const places = loadCatalog().modelsUnder("gemini-pro");
  expect(places.map(({ platform, id }) => `${platform} ${id}`)).toEqual(["google gemini-pro"]);
});

const { models } = loadCatalog();

function places(key: string): string[] {
  const named = models.filter(({ id, name }) => id === key || name === key || id.endsWith(`/${key}`));
  return sortByLikelihood(named, key).map(({ platform, id }) => `${platform} ${id}`);
}

it("indexes an entry by each of its keys, in order", () => {
  const index = indexByKey(["ab", "b", "ca"], (word) => new Set(word));
  expect([...index]).toEqual([
    ["a", ["ab", "ca"]],
    ["b", ["ab", "b"]],
    ["c", ["ca"]],
  ]);
});

it("sorts the exact id first, then the vendor's own platform, then ids without a region", () => {
  expect(places("claude-haiku-4-5").slice(0, 4)).toEqual([
    "anthropic claude-haiku-4-5",
    "vertex claude-haiku-4-5",
    "anthropic claude-haiku-4-5-20251001",
    "vertex claude-haiku-4-5@20251001",
  ]);
  expect(
    places("claude-haiku-4-5")
      .filter((place) => place.startsWith("bedrock"))
      .slice(0, 2),
  ).toEqual([
    "bedrock anthropic.claude-haiku-4-5-20251001-v1:0",
    "bedrock global.anthropic.claude-haiku-4-5-20251001-v1:0",
  ]);
  expect(places("openai/gpt-5.4")[0]).toBe("openrouter openai/gpt-5.4");
  expect(places("gpt-5.4")[0]).toBe("openai gpt-5.4");
});

it("does not depend on the order of the models", () => {
  const named = models.filter(({ name }) => name === "claude-opus-4-6");
  expect(named.length).toBeGreaterThan(3);
  expect(sortByLikelihood(named.toReversed(), "claude-opus-4-6")).toEqual(sortByLikelihood(named, "claude-opus-4-6"));
});
