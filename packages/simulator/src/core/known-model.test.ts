import { loadCatalog } from "@longhaul/models/catalog";
import { expect, it } from "vitest";
import { knownModel, modelsOn } from "./known-model.ts";

const catalog = loadCatalog({ "local-*": { window: 9_000 }, "my-model": { window: 5_000 } });
const anthropic = { platform: "anthropic", vendors: ["anthropic"] };
const openai = { platform: "openai", vendors: ["openai"] };

it.each([
  ["claude-opus-4-6", anthropic],
  ["claude-haiku-4-5-20251001", anthropic],
  ["gpt-4o-2024-08-06", openai],
  ["local-llama", openai],
  ["my-model", openai],
])("knows %s", (id, shelf) => {
  expect(knownModel(catalog, id, shelf)).toBeDefined();
});

it.each([
  ["gpt-4o", anthropic],
  ["claude-opus-4-6", openai],
  ["claude-4.6-opus", anthropic],
  ["anthropic/claude-opus-4-6", anthropic],
  ["gpt-nope", openai],
  ["", openai],
])("does not know %s", (id, shelf) => {
  expect(knownModel(catalog, id, shelf)).toBeUndefined();
});

it("lists the models of one place", () => {
  const ids = modelsOn(catalog, anthropic).map(({ id }) => id);
  expect(ids).toContain("claude-opus-4-6");
  expect(ids.every((id) => id.startsWith("claude-"))).toBe(true);
});
