import { expect, it } from "vitest";
import { findModel } from "../catalog/find-model.ts";
import { loadCatalog } from "../catalog/load-catalog.ts";
import { describeReasoning } from "./describe-reasoning.ts";

const catalog = loadCatalog();

it.each([
  ["gpt-4o", "it cannot reason"],
  ["o4-mini", "it takes one of low, medium, high; a number becomes a level"],
  ["o1-mini", "it takes neither level nor number"],
  [
    "claude-opus-4",
    "it takes 1024 to 16000 tokens, as a number or with k for 1024, or one of none, minimal, low, medium, high, xhigh, max",
  ],
  [
    "gemini-2.5-pro",
    "it takes 128 to 24576 tokens, as a number or with k for 1024, or one of minimal, low, medium, high, xhigh, max",
  ],
  [
    "claude-opus-4-6",
    "it takes one of none, low, medium, high, max, or 1024 to 16000 tokens, as a number or with k for 1024",
  ],
])("says of %s that %s", (name, words) => {
  expect(describeReasoning(findModel(catalog, name).model)).toBe(words);
});
