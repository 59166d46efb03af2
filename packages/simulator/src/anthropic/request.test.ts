import { findModel, loadCatalog } from "@longhaul/models/catalog";
import { expect, it } from "vitest";
import { editsIn, hasBeta, mustFitOutput, thinkingType } from "./request.ts";

const catalog = loadCatalog();
const modelOf = (id: string) => findModel(catalog, id, "anthropic").model;

it("knows a beta by the platform's own name for it", () => {
  const betas = new Set(["compact-2026-01-12"]);
  expect(hasBeta({ model: modelOf("claude-opus-4-6"), betas }, "compaction-threshold")).toBe(true);
  expect(hasBeta({ model: modelOf("claude-opus-4-6"), betas }, "compaction-on-demand")).toBe(false);
  expect(hasBeta({ model: modelOf("claude-opus-4-6"), betas }, "nothing")).toBe(false);
});

it("finds the edits", () => {
  expect(editsIn({ context_management: { edits: [{ type: "a" }] } })).toEqual([{ type: "a" }]);
  expect(editsIn({})).toEqual([]);
});

it("knows what a model does when nobody speaks of thinking", () => {
  const typeOf = (id: string, thinking?: object) => thinkingType({ model: modelOf(id), body: { thinking } });
  expect(typeOf("claude-opus-4-6")).toBe("disabled");
  expect(typeOf("claude-opus-5")).toBe("adaptive");
  expect(typeOf("claude-opus-5", { type: "disabled" })).toBe("disabled");
  expect(typeOf("claude-3-haiku")).toBe("disabled");
});

it.each([
  ["claude-3-haiku", true],
  ["claude-3-7-sonnet-20250219", true],
  ["claude-opus-4-1", true],
  ["claude-sonnet-4-20250514", true],
  ["claude-sonnet-4-5", false],
  ["claude-haiku-4-5-20251001", false],
  ["claude-opus-4-6", false],
  ["claude-fable-5-1", false],
])("knows whether %s demands that input and output fit together", (id, demands) => {
  expect(mustFitOutput(modelOf(id))).toBe(demands);
});
