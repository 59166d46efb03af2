import { loadCatalog } from "@longhaul/models/catalog";
import { describe, expect, it } from "vitest";
import { makePrompt } from "../testing/make.ts";
import { knownModel, makeSeals, makeWorld, modelsFrom, openPromptCache } from "./world.ts";

it("has a default for everything", () => {
  expect(makeWorld({}).settings).toEqual({
    keys: [],
    summaryTokens: 300,
    thinkTokens: 24,
    notice: "",
    deltaChars: 24,
    enforcesBinding: true,
    hasLongContext: true,
    refusedBetas: [],
    aws: { accessKeyId: "AKIASIMULATOR", secretAccessKey: "simulator" },
  });
});

it("parses scripts that return directives", () => {
  const world = makeWorld({ script: ({ model }) => (model === "a" ? "say hi" : undefined) });
  expect(world.script(makePrompt({ model: "a" }))?.ending).toEqual({ kind: "say", text: "hi" });
  expect(world.script(makePrompt({ model: "b" }))).toBeUndefined();
});

it("accepts other windows, another skew and another clock", () => {
  const world = makeWorld({ models: { "my-model": { window: 5_000 } }, skew: 2, now: () => 7 });
  expect(world.catalog.models.find(({ id }) => id === "my-model")?.window).toBe(5_000);
  expect(world.tokenizer.count("word")).toBeCloseTo(2 * (0.93 + 3 * 0.035));
  expect(world.now()).toBe(7);
});

describe("promptCache", () => {
  it("keeps a prefix until it expires", () => {
    const cache = openPromptCache();
    cache.keep("a", 100, 0);
    expect([cache.use("b", 0), cache.use("a", 99)]).toEqual([false, true]);
    expect([cache.use("a", 198), cache.use("a", 298)]).toEqual([true, false]);
  });

  it("keeps the longer of two lifetimes", () => {
    const cache = openPromptCache();
    cache.keep("a", 1_000, 0);
    cache.keep("a", 100, 10);
    expect(cache.use("a", 900)).toBe(true);
  });

  it("is empty after it is cleared", () => {
    const cache = openPromptCache();
    cache.keep("a", 100, 0);
    cache.clear();
    expect(cache.use("a", 1)).toBe(false);
  });
});

describe("seals", () => {
  const seals = makeSeals("secret");
  const sealed = seals.seal("thinking", { text: "é" });

  it("opens what it sealed", () => {
    expect(seals.open("thinking", sealed)).toEqual({ text: "é" });
    expect(makeSeals("secret").open("thinking", sealed)).toEqual({ text: "é" });
  });

  it.each([
    ["another kind", () => seals.open("compaction", sealed)],
    ["another secret", () => makeSeals("other").open("thinking", sealed)],
    ["a changed text", () => seals.open("thinking", `${sealed.slice(0, -6)}AAAA${sealed.slice(-2)}`)],
    ["a cut text", () => seals.open("thinking", sealed.slice(0, 40))],
    ["a text with more behind it", () => seals.open("thinking", `${sealed}!`)],
    ["no text", () => seals.open("thinking", "")],
  ])("does not open %s", (_, open) => {
    expect(open()).toBeUndefined();
  });
});

const catalog = loadCatalog({ "local-*": { window: 9_000 }, "my-model": { window: 5_000 } });
const anthropic = { platform: "anthropic", vendors: ["anthropic"] };
const openai = { platform: "openai", vendors: ["openai"] };

it.each([
  ["claude-opus-4-6", anthropic],
  ["claude-haiku-4-5-20251001", anthropic],
  ["gpt-4o-2024-08-06", openai],
  ["local-llama", openai],
  ["my-model", openai],
])("knows %s", (id, source) => {
  expect(knownModel(catalog, id, source)).toBeDefined();
});

it.each([
  ["gpt-4o", anthropic],
  ["claude-opus-4-6", openai],
  ["claude-4.6-opus", anthropic],
  ["anthropic/claude-opus-4-6", anthropic],
  ["gpt-nope", openai],
  ["", openai],
])("does not find %s", (id, source) => {
  expect(knownModel(catalog, id, source)).toBeUndefined();
});

it("lists the models of one platform", () => {
  const ids = modelsFrom(catalog, anthropic).map(({ id }) => id);
  expect(ids).toContain("claude-opus-4-6");
  expect(ids.every((id) => id.startsWith("claude-"))).toBe(true);
});
