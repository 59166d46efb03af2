import { describe, expect, it } from "vitest";
import { compileRules } from "./assemble.ts";
import { FAMILIES } from "./families.ts";
import { findModel } from "./find-model.ts";
import { loadCatalog } from "./load-catalog.ts";
import { factsSchema, type Model } from "./model.ts";
import { OVERLAY } from "./overlay.ts";

const catalog = loadCatalog();

function model(name: string, platform?: string): Model {
  return findModel(catalog, name, platform).model;
}

describe("every entry", () => {
  it("names its source and has facts", () => {
    for (const { source, facts } of [...OVERLAY, ...FAMILIES]) {
      expect(source).not.toBe("");
      expect(factsSchema.parse(facts)).toEqual(facts);
      expect(Object.keys(facts)).not.toEqual([]);
    }
  });

  it("matches at least one model", () => {
    const unlisted = ["claude-mythos-preview", "claude-mythos-5-1"].map((name) => ({
      platform: "anthropic",
      id: name,
      name,
    }));
    const subjects = [...catalog.models, ...unlisted];
    const dead = OVERLAY.filter((rule) => !compileRules([rule]).some(({ fits }) => subjects.some(fits)));
    expect(dead.map(({ match }) => match)).toEqual([]);
  });
});

it.each([
  ["gpt-4o", "o200k"],
  ["gpt-4.1-mini", "o200k"],
  ["gpt-6.1-sol", "o200k"],
  ["o3", "o200k"],
  ["gpt-oss-120b", "o200k"],
  ["gpt-4", "cl100k"],
  ["gpt-4-turbo", "cl100k"],
  ["gpt-3.5-turbo", "cl100k"],
  ["claude-3-opus", "claude"],
  ["claude-opus-4-6", "claude"],
  ["claude-haiku-4-5", "claude"],
  ["claude-opus-4-7", "claude-5"],
  ["claude-sonnet-5", "claude-5"],
  ["claude-fable-5", "claude-5"],
  ["claude-haiku-5-5", "claude-5"],
  ["gemini-2.5-pro", "gemini"],
  ["gemma-4-31b-it", "gemini"],
  ["deepseek-chat", "other"],
])("tokenizes %s like %s", (name, tokenizer) => {
  expect(model(name).tokenizer).toBe(tokenizer);
});

it.each([
  ["claude-opus-4-6", "anthropic", "exclusive"],
  ["claude-opus-4-6", "vertex", "exclusive"],
  ["claude-opus-4-6", "bedrock", "exclusive"],
  ["claude-opus-4-6", "openrouter", "inclusive"],
  ["gpt-5.4", "openai", "inclusive"],
  ["gpt-5.4", "openrouter", "inclusive"],
  ["gemini-2.5-pro", "google", "inclusive"],
  ["gemini-2.5-pro", "vertex", "inclusive"],
])("reports usage of %s on %s as %s", (name, platform, accounting) => {
  expect(model(name, platform)).toMatchObject({ platform, accounting });
});

describe("OpenAI", () => {
  it("has windows with a part reserved for the reply", () => {
    expect(model("gpt-5")).toMatchObject({ window: 400_000, maxInput: 272_000, maxOutput: 128_000 });
    expect(model("gpt-5.4")).toMatchObject({ window: 1_050_000, maxInput: 922_000 });
    expect(model("gpt-6.1-sol")).toMatchObject({ window: 1_050_000, maxInput: 922_000 });
    expect(model("gpt-5-chat-latest")).toMatchObject({ window: 128_000, maxInput: 128_000 });
    expect(model("gpt-4o")).not.toHaveProperty("maxInput");
  });

  it("knows which GPTs compact, only on OpenAI itself", () => {
    const both = { threshold: true, onDemand: true };
    expect(["gpt-5.2", "gpt-5.4-mini", "gpt-6-sol"].map((name) => model(name).compaction)).toEqual([both, both, both]);
    const neither = { threshold: false, onDemand: false };
    expect(["gpt-4o", "o3", "gpt-5"].map((name) => model(name).compaction)).toEqual([neither, neither, neither]);
    expect(model("openai/gpt-5.2", "openrouter").compaction).toEqual(neither);
  });

  it("rejects sampling and max_tokens for reasoning models", () => {
    for (const name of ["o3", "gpt-5", "gpt-6-sol"])
      expect(model(name).rejects).toEqual(expect.arrayContaining(["temperature", "max_tokens"]));
    expect(model("gpt-5-chat-latest").rejects).toEqual(["max_tokens"]);
    expect(model("gpt-4o").rejects).toEqual([]);
  });

  it("accepts the listed effort levels", () => {
    expect(model("gpt-5").reasoning).toMatchObject({
      kind: "effort",
      levels: ["minimal", "low", "medium", "high"],
      mandatory: true,
    });
    expect(model("gpt-5.2").reasoning).toMatchObject({
      levels: ["none", "low", "medium", "high", "xhigh"],
      mandatory: false,
    });
    expect(model("gpt-4o").reasoning.kind).toBe("none");
  });
});

describe("Google", () => {
  it("accepts a budget up to 2.5 and a level since 3", () => {
    expect(model("gemini-2.5-flash").reasoning).toMatchObject({
      kind: "budget",
      mandatory: false,
      maxBudgetTokens: 24_576,
    });
    expect(model("gemini-2.5-flash-lite").reasoning).toMatchObject({
      kind: "budget",
      minBudgetTokens: 512,
      maxBudgetTokens: 24_576,
    });
    expect(model("gemini-2.5-pro").reasoning).toMatchObject({ kind: "budget", mandatory: true, minBudgetTokens: 128 });
    expect(model("gemini-3.5-flash").reasoning).toMatchObject({
      kind: "level",
      levels: ["minimal", "low", "medium", "high"],
    });
    expect(model("gemini-3.7-flash").reasoning.levels).toEqual(["low", "medium", "high"]);
    expect(model("gemini-2.0-flash").reasoning.kind).toBe("none");
  });
});

it("limits the size of a request", () => {
  const megabytes = (name: string, platform: string) => (model(name, platform).maxRequestBytes ?? 0) / 1024 / 1024;
  expect(megabytes("claude-opus-5", "anthropic")).toBe(32);
  expect(megabytes("claude-opus-5", "vertex")).toBe(30);
  expect(megabytes("claude-opus-5", "bedrock")).toBe(20);
  expect(megabytes("gpt-5.4", "openai")).toBe(512);
  expect(megabytes("gpt-5.4", "openrouter")).toBe(0);
  expect(megabytes("gemini-2.5-pro", "google")).toBe(20);
});
