import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { findModel } from "./find-model.ts";
import { type Catalog, loadCatalog } from "./load-catalog.ts";

function windowOf(catalog: Catalog, name: string, platform?: string): number {
  return findModel(catalog, name, platform).model.window;
}

it.each([
  ["claude-3-5-sonnet", 200_000],
  ["claude-3-opus", 200_000],
  ["gpt-4-turbo", 128_000],
  ["gpt-4o", 128_000],
  ["gemini-pro", 32_000],
])("gives %s the required window of %s tokens", (name, tokens) => {
  expect(findModel(loadCatalog(), name)).toMatchObject({ matchedBy: "id", model: { window: tokens } });
});

it("returns the same value every time", () => {
  const [one, other] = [loadCatalog(), loadCatalog({})];
  expect(isDeepStrictEqual(one.models, other.models)).toBe(true);
  expect(one.sources).toEqual(other.sources);
});

it("overrides one fact and keeps the others", () => {
  const before = findModel(loadCatalog(), "gpt-4o").model;
  const after = findModel(loadCatalog({ "gpt-4o": { prices: { input: 9 } } }), "gpt-4o").model;
  expect(after).toEqual({ ...before, prices: { ...before.prices, input: 9, cacheWrite: 9, cacheWriteHour: 9 } });
});

it("applies an override by the vendor's name on every platform", () => {
  const catalog = loadCatalog({ "claude-opus-4-6": { window: 150_000 } });
  for (const platform of ["anthropic", "vertex", "bedrock", "openrouter"])
    expect(windowOf(catalog, "claude-opus-4-6", platform)).toBe(150_000);
  expect(windowOf(catalog, "claude-opus-4-7")).toBe(1_000_000);
});

it("applies an override by id or platform only there", () => {
  const catalog = loadCatalog({
    "bedrock/*claude-opus-4-6*": { window: 150_000 },
    "openai/gpt-5.4": { window: 300_000 },
  });
  expect(windowOf(catalog, "claude-opus-4-6", "bedrock")).toBe(150_000);
  expect(windowOf(catalog, "claude-opus-4-6", "anthropic")).toBe(1_000_000);
  expect(windowOf(catalog, "gpt-5.4", "openrouter")).toBe(300_000);
  expect(windowOf(catalog, "gpt-5.4", "openai")).toBe(300_000);
});

it("prefers a single name over a glob, in any order", () => {
  const catalog = loadCatalog({ "gpt-4o": { window: 1_111 }, "gpt-*": { window: 2_222 } });
  expect(windowOf(catalog, "gpt-4o")).toBe(1_111);
  expect(windowOf(catalog, "gpt-4.1")).toBe(2_222);
});

it("adds a model that only an override has", () => {
  const catalog = loadCatalog({ "My-Local-Llama": { window: 65_536, prices: { input: 0, output: 0 } } });
  expect(findModel(catalog, "my-local-llama")).toMatchObject({
    matchedBy: "id",
    upstreamId: "My-Local-Llama",
    model: { id: "My-Local-Llama", platform: "other", window: 65_536 },
  });
  expect(findModel(catalog, "my-local-llama")).not.toHaveProperty("warning");
});

it("starts an unlisted snapshot from the facts of its model", () => {
  const catalog = loadCatalog({ "anthropic/claude-opus-4-6-20260205": { window: 500_000 } });
  const { model } = findModel(catalog, "claude-opus-4-6-20260205");
  expect(model).toMatchObject({ platform: "anthropic", window: 500_000, prices: { input: 5 }, tokenizer: "claude" });
  expect(windowOf(catalog, "claude-opus-4-6")).toBe(1_000_000);
});

it("indexes an alias from an override", () => {
  const match = findModel(loadCatalog({ "gpt-4o": { aliases: ["Our-Default"] } }), "our-default");
  expect(match).toMatchObject({ matchedBy: "alias", upstreamId: "gpt-4o", model: { id: "gpt-4o" } });
});

it("applies a glob to unlisted models", () => {
  const catalog = loadCatalog({ "local-*": { window: 40_000 } });
  expect(findModel(catalog, "local-7b")).toMatchObject({ matchedBy: "override", model: { window: 40_000 } });
  expect(findModel(catalog, "local-7b")).not.toHaveProperty("warning");
});

it("takes an undefined field of an override for absent", () => {
  const absent = { window: undefined, maxOutput: undefined, reasoning: { levels: undefined }, prices: { input: 9 } };
  const catalog: Catalog = Reflect.apply(loadCatalog, undefined, [
    { "gpt-4o": absent, "new-*": { window: undefined } },
  ]);
  const changed = loadCatalog({ "gpt-4o": { prices: { input: 9 } } });
  expect(findModel(catalog, "gpt-4o")).toEqual(findModel(changed, "gpt-4o"));
  expect(findModel(catalog, "new-model")).toEqual(findModel(changed, "new-model"));
});

it("rejects an invalid override with a named error", () => {
  expect(() => loadCatalog({ "gpt-4o": { window: -1 } })).toThrow(/^Context limit must be positive/);
  expect(() => Reflect.apply(loadCatalog, undefined, [null])).toThrow(/the overrides .* it is null, not an object/);
  expect(() => Reflect.apply(loadCatalog, undefined, [{ x: 5 }])).toThrow(/"x" of the model catalog .* it is 5/);
  expect(() => loadCatalog({ "no-such-model": { prices: { input: 1 } } })).toThrow(/prices without input or output/);
});
