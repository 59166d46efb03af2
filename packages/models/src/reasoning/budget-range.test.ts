import { expect, it } from "vitest";
import { findModel } from "../catalog/find-model.ts";
import { loadCatalog } from "../catalog/load-catalog.ts";
import { budgetRange } from "./budget-range.ts";

const catalog = loadCatalog();

it.each([
  ["claude-opus-4", true, { min: 1_024, max: 16_000, least: 1_024 }],
  ["claude-opus-4", false, { min: 1_024, max: 32_000, least: 1_024 }],
  ["gemini-2.5-flash", true, { min: 0, max: 24_576, least: 1 }],
  ["gemini-2.5-pro", true, { min: 128, max: 24_576, least: 128 }],
  ["gemini-2.5-pro", false, { min: 128, max: 32_768, least: 128 }],
])("is for %s (typed: %s) %j", (name, isTyped, range) => {
  expect(budgetRange(findModel(catalog, name).model, isTyped)).toEqual(range);
});
