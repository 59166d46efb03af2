import { expect, it } from "vitest";
import file from "./catalog.json" with { type: "json" };
import { DECISIONS, decide } from "./decisions.ts";
import { catalogFileSchema } from "./rows.ts";

const { disagreements, models } = catalogFileSchema.parse(file);

it("settles every disagreement of the two sources", () => {
  expect(disagreements.length).toBeGreaterThan(0);
  expect(disagreements.filter(([model, field]) => decide(model, field) === undefined)).toEqual([]);
});

it("keeps no decision that nothing needs", () => {
  const used = new Set(disagreements.map(([model, field]) => decide(model, field)));
  expect(DECISIONS.filter((decision) => !used.has(decision))).toEqual([]);
});

it("leaves a disagreement open that no line fits", () => {
  expect(decide("anthropic/claude-opus-4-6", "input")).toBeUndefined();
  expect(decide("openrouter/openai/gpt-4o", "window")).toBeUndefined();
});

it("is what the catalog was made with", () => {
  const windows = new Map(models.map(([platform, id, tokens]) => [`${platform}/${id}`, tokens]));
  const prices = new Map(models.map(([platform, id, , , rates]) => [`${platform}/${id}`, rates?.[0]]));
  for (const [model, field, ours, theirs] of disagreements) {
    const winner = decide(model, field)?.wins === "genai-prices" ? theirs : ours;
    if (field === "window") expect([model, windows.get(model)]).toEqual([model, winner]);
    if (field === "input") expect([model, prices.get(model)]).toEqual([model, winner]);
  }
});
