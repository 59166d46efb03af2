import { expect, it } from "vitest";
import { loadCatalog } from "../catalog/load-catalog.ts";
import { knowsModel } from "./knows-model.ts";

const catalog = loadCatalog({ "my-model": { window: 8_000 } });

it("knows what is listed, under any of its names, and what the user told of", () => {
  const names = ["claude-opus-4-6", "anthropic/claude-opus-4.6:free", "claude-opus-4-20250514", "my-model"];
  expect(names.filter((name) => !knowsModel(catalog, name))).toEqual([]);
});

it("knows neither a name with a suffix nor one that only looks like a family's", () => {
  const names = [
    "claude-opus-4-6:high",
    "claude-opus-4-6[1m]",
    "claude-opus-4-6:thinking",
    "gpt-oss:20b",
    "claude-unheard-of",
    "x",
  ];
  expect(names.filter((name) => knowsModel(catalog, name))).toEqual([]);
});
