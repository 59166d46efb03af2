import { expect, it } from "vitest";
import { deploymentsOf, kindsPassing } from "./deployments.ts";

it("returns several deployments for one kind", () => {
  expect(deploymentsOf("vertex").map(({ vendor }) => vendor)).toEqual(["anthropic", "google"]);
  expect(deploymentsOf("simulator").map(({ vendor }) => vendor)).toEqual(["anthropic", "openai", "google"]);
});

it("changes bodies only for Claude at other vendors", () => {
  const kinds = ["anthropic", "openai", "gemini", "openrouter", "bedrock", "vertex"] as const;
  const shaping = kinds.flatMap(deploymentsOf).filter(({ shapeBody }) => shapeBody !== undefined);
  expect(shaping.map(({ api }) => api)).toEqual(["bedrock", "vertex-claude"]);
});

it.each([
  ["anthropic-messages", ["anthropic"]],
  ["openai-chat", ["openai", "openai-compatible", "openrouter"]],
  ["openai-responses", ["openai"]],
  ["gemini", ["gemini"]],
] as const)("passes other paths of %s on to %j", (wire, kinds) => {
  expect(kindsPassing(wire)).toEqual(kinds);
});
