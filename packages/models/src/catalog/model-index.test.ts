import { expect, it } from "vitest";
import { loadCatalog } from "./load-catalog.ts";
import { indexModels } from "./model-index.ts";

const { models } = loadCatalog();
const index = indexModels(models);

function places(key: string): string[] {
  return (index.get(key) ?? []).map(({ platform, id }) => `${platform} ${id}`);
}

it("files a model under its id, its bare id and the vendor's name", () => {
  const isFiled = (key: string) => places(key).includes("bedrock eu.anthropic.claude-haiku-4-5-20251001-v1:0");
  expect(
    ["eu.anthropic.claude-haiku-4-5-20251001-v1:0", "claude-haiku-4-5-20251001", "claude-haiku-4-5"].every(isFiled),
  ).toBe(true);
  expect(isFiled("claude-haiku")).toBe(false);
});

it("puts the very id first, then the vendor's own platform, then ids without a region", () => {
  expect(places("claude-haiku-4-5").slice(0, 4)).toEqual([
    "anthropic claude-haiku-4-5",
    "vertex claude-haiku-4-5",
    "anthropic claude-haiku-4-5-20251001",
    "vertex claude-haiku-4-5@20251001",
  ]);
  expect(
    places("claude-haiku-4-5")
      .filter((place) => place.startsWith("bedrock"))
      .slice(0, 2),
  ).toEqual([
    "bedrock anthropic.claude-haiku-4-5-20251001-v1:0",
    "bedrock global.anthropic.claude-haiku-4-5-20251001-v1:0",
  ]);
  expect(places("openai/gpt-5.4")[0]).toBe("openrouter openai/gpt-5.4");
  expect(places("gpt-5.4")[0]).toBe("openai gpt-5.4");
});

it("does not take a moving name for the model of that name", () => {
  expect(places("gemini-pro")).toEqual(["google gemini-pro"]);
});

it("files aliases in lower case", () => {
  const [model] = models;
  if (model === undefined) throw new Error("the catalog is empty");
  expect(indexModels([{ ...model, aliases: ["My-Model"] }]).get("my-model")).toHaveLength(1);
});

it("does not depend on the order of the models", () => {
  const backwards = indexModels(models.toReversed());
  for (const [key, filed] of index) expect(backwards.get(key)).toEqual(filed);
});
