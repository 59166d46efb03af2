import { expect, it } from "vitest";
import { findModel } from "../catalog/find-model.ts";
import { loadCatalog } from "../catalog/load-catalog.ts";
import { describeReasoning } from "./describe-reasoning.ts";

const catalog = loadCatalog();

it.each([
  ["gpt-4o", "it cannot reason"],
  ["o4-mini", "it takes one of low, medium, high; a number becomes a level"],
  ["o1-mini", "it takes no level; a number becomes a level"],
  [
    "claude-opus-4",
    "it takes 1024 to 16000 tokens, as a number or with k for 1024, or one of none; other levels become tokens",
  ],
  ["gemini-2.5-pro", "it takes 128 to 24576 tokens, as a number or with k for 1024; other levels become tokens"],
  [
    "claude-opus-4-6",
    "it takes one of none, low, medium, high, max, or 1024 to 16000 tokens, as a number or with k for 1024",
  ],
])("says of %s that %s", (name, words) => {
  expect(describeReasoning(findModel(catalog, name).model)).toBe(words);
});
