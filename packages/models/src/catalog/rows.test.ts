import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { factsOf, isCatalogFile } from "./load-catalog.ts";
import { catalogFileSchema } from "./rows.ts";

const text = readFileSync(new URL("catalog.json", import.meta.url), "utf8");

describe("the generated file", () => {
  it("has a valid shape and names its sources", () => {
    const { sources } = catalogFileSchema.parse(JSON.parse(text));
    expect(sources.map(({ name }) => name)).toEqual(["@earendil-works/pi-ai", "@pydantic/genai-prices"]);
  });

  it("stays small", () => {
    expect(text.length).toBeLessThan(250_000);
  });

  it("is sorted, so that the same sources give the same file", () => {
    const rows = catalogFileSchema.parse(JSON.parse(text)).models.map(([platform, id]) => `${platform} ${id}`);
    expect(rows).toEqual(rows.toSorted((a, b) => (a < b ? -1 : 1)));
  });
});

it("is recognized by its format", () => {
  expect(isCatalogFile(JSON.parse(text))).toBe(true);
  expect([{ format: 2 }, {}, null].some(isCatalogFile)).toBe(false);
});

describe("factsOf", () => {
  it("converts all columns of a row", () => {
    const row = [
      "anthropic",
      "x-1",
      1_000,
      100,
      [1, 5, 0.1, null, 2],
      [[500, 2, 10, null, null, null]],
      ["none", "low"],
      7,
    ] as const;
    const { models } = catalogFileSchema.parse({ ...JSON.parse(text), models: [row] });
    expect(models.map(factsOf)).toEqual([
      {
        vendor: "anthropic",
        window: 1_000,
        maxOutput: 100,
        prices: {
          input: 1,
          output: 5,
          cacheRead: 0.1,
          cacheWriteHour: 2,
          tiers: [{ aboveInputTokens: 500, input: 2, output: 10 }],
        },
        reasoning: { kind: "effort", levels: ["none", "low"], mandatory: false },
        images: { supported: true, maxCount: 7 },
      },
    ]);
  });

  it("omits unknown columns", () => {
    expect(factsOf(["vertex", "gemini-x", 9, null, null, [], null, null])).toEqual({
      vendor: "google",
      window: 9,
      reasoning: { kind: "none", levels: [], onByDefault: false, mandatory: false },
      images: { supported: false },
    });
  });

  it("takes the vendor from the id, and treats a model without an off switch as always reasoning", () => {
    const facts = factsOf(["openrouter", "x-ai/grok-9", 9, 9, [0, 0, null, null, null], [], ["low"], 0]);
    expect(facts).toMatchObject({ vendor: "x-ai", reasoning: { mandatory: true }, images: { supported: true } });
  });
});
