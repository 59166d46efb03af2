import { findModel, loadCatalog } from "@longhaul/models/catalog";
import { expect, it } from "vitest";
import type { Notes } from "./api.ts";
import { noteBill } from "./notes.ts";

const catalog = loadCatalog({ "my-model": { window: 1_000 } });
const round = {
  inputTokens: 1_000_000,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWriteHourTokens: 0,
  outputTokens: 0,
};

it("adds rounds up and bills each at its own rate", () => {
  const notes: Notes = {};
  noteBill(notes, findModel(catalog, "claude-opus-4-6", "anthropic").model, [round, round]);
  expect(notes).toEqual({ billed: { ...round, inputTokens: 2_000_000 }, costUsd: 10 });
});

it("leaves the cost open where no price is known", () => {
  const notes: Notes = {};
  noteBill(notes, findModel(catalog, "my-model", "openai").model, [round]);
  expect(notes).toEqual({ billed: round });
});
