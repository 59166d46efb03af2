import { expect, it } from "vitest";
import { z } from "zod";
import file from "../packages/models/src/catalog/catalog.json" with { type: "json" };
import { catalogFileSchema } from "../packages/models/src/catalog/rows.ts";
import { DECISIONS, decide } from "../scripts/catalog-decisions.ts";
import { readJson } from "./repository.ts";

const { models } = catalogFileSchema.parse(file);
const disagreements = z
  .array(z.tuple([z.string(), z.string(), z.number(), z.number()]))
  .parse(readJson("scripts/catalog-disagreements.json"));

it("decides every disagreement of the two sources", () => {
  expect(disagreements.length).toBeGreaterThan(0);
  expect(disagreements.filter(([model, field]) => decide(model, field) === undefined)).toEqual([]);
});

it("has no unneeded decision", () => {
  const used = new Set(disagreements.map(([model, field]) => decide(model, field)));
  expect(DECISIONS.filter((decision) => !used.has(decision))).toEqual([]);
});

it("leaves a disagreement without a matching line open", () => {
  expect(decide("anthropic/claude-opus-4-6", "input")).toBeUndefined();
  expect(decide("openrouter/openai/gpt-4o", "window")).toBeUndefined();
});

it("matches the shipped catalog", () => {
  const windows = new Map(models.map(([platform, id, tokens]) => [`${platform}/${id}`, tokens]));
  const prices = new Map(models.map(([platform, id, , , rates]) => [`${platform}/${id}`, rates?.[0]]));
  for (const [model, field, ours, theirs] of disagreements) {
    const winner = decide(model, field)?.wins === "genai-prices" ? theirs : ours;
    if (field === "window") expect([model, windows.get(model)]).toEqual([model, winner]);
    if (field === "input") expect([model, prices.get(model)]).toEqual([model, winner]);
  }
});
