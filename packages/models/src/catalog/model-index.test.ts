import { expect, it } from "vitest";
import { loadCatalog } from "./load-catalog.ts";
import { fileByKey, sortByLikelihood } from "./model-index.ts";

const { models } = loadCatalog();

function places(key: string): string[] {
  const named = models.filter(({ id, name }) => id === key || name === key || id.endsWith(`/${key}`));
  return sortByLikelihood(named, key).map(({ platform, id }) => `${platform} ${id}`);
}

it("files an entry under each of its keys, in the order of the entries", () => {
  const index = fileByKey(["ab", "b", "ca"], (word) => new Set(word));
  expect([...index]).toEqual([
    ["a", ["ab", "ca"]],
    ["b", ["ab", "b"]],
    ["c", ["ca"]],
  ]);
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

it("does not depend on the order of the models", () => {
  const named = models.filter(({ name }) => name === "claude-opus-4-6");
  expect(named.length).toBeGreaterThan(3);
  expect(sortByLikelihood(named.toReversed(), "claude-opus-4-6")).toEqual(sortByLikelihood(named, "claude-opus-4-6"));
});
