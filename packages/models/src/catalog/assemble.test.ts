import { LonghaulError } from "@longhaul/conversation";
import { expect, it } from "vitest";
import { assemble, compileRules, type Layers } from "./assemble.ts";
import { FAMILIES } from "./families.ts";
import type { Facts } from "./model.ts";

const subject = { platform: "other", id: "m-1", name: "m-1" };

function makeLayers(overlay: Facts = {}, overrides: Facts = {}): Layers {
  const rule = (facts: Facts) => compileRules([{ match: "m-*", facts, source: "test" }]);
  return { families: compileRules(FAMILIES), overlay: rule(overlay), overrides: rule(overrides) };
}

it("puts a model's own facts over its family's, the overlay over them, and overrides over all", () => {
  const own = { window: 1_000, maxOutput: 10, tokenizer: "gemini" } as const;
  const model = assemble(subject, own, makeLayers({ maxOutput: 20, tokenizer: "claude" }, { tokenizer: "o200k" }));
  expect(model).toMatchObject({ window: 1_000, maxOutput: 20, tokenizer: "o200k", accounting: "inclusive" });
});

it("skips rules that do not match", () => {
  const other = { platform: "other", id: "n-1", name: "n-1" };
  expect(assemble(other, {}, makeLayers({ window: 7 })).window).toBe(32_000);
});

it("applies a rule to one platform only", () => {
  const [rule] = compileRules([{ match: "m-*", platform: "bedrock", facts: {}, source: "test" }]);
  expect(rule?.fits({ ...subject, platform: "bedrock" })).toBe(true);
  expect(rule?.fits({ ...subject, platform: "anthropic" })).toBe(false);
});

it("limits output and input to the window", () => {
  expect(assemble(subject, { maxOutput: 900, maxInput: 800 }, makeLayers({}, { window: 500 }))).toMatchObject({
    window: 500,
    maxOutput: 500,
    maxInput: 500,
  });
});

it("completes prices after all overlays", () => {
  const model = assemble(
    subject,
    { prices: { input: 1, output: 2 }, vendor: "anthropic" },
    makeLayers({}, { prices: { input: 4 } }),
  );
  expect(model.prices).toEqual({ input: 4, output: 2, cacheRead: 4, cacheWrite: 5, cacheWriteHour: 8, tiers: [] });
});

it("has no prices if none are known", () => {
  expect(assemble(subject, {}, makeLayers())).not.toHaveProperty("prices");
});

it("rejects an incomplete price list", () => {
  const half = () => assemble(subject, {}, makeLayers({}, { prices: { input: 4 } }));
  expect(half).toThrow(LonghaulError);
  expect(half).toThrow(/"m-1" has prices without input or output; set both/);
});
