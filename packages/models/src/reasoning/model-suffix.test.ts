import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findModel } from "../catalog/find-model.ts";
import { loadCatalog } from "../catalog/load-catalog.ts";
import { knowsModel, parseModelName } from "./model-suffix.ts";

const catalog = loadCatalog();
const isKnown = (name: string) => knowsModel(catalog, name);
const parse = (name: string) => parseModelName(name, { isWhole: isKnown, isBase: isKnown });

it.each([
  ["claude-opus-4-20250514:4k", "claude-opus-4-20250514", { kind: "budget", tokens: 4_096 }],
  ["claude-opus-4-20250514:8000", "claude-opus-4-20250514", { kind: "budget", tokens: 8_000 }],
  ["o4-mini:high", "o4-mini", { kind: "effort", effort: "high" }],
  ["o4-mini:HIGH", "o4-mini", { kind: "effort", effort: "high" }],
  ["gemini-2.5-flash-preview-04-17:4k", "gemini-2.5-flash-preview-04-17", { kind: "budget", tokens: 4_096 }],
  ["gemini-2.5-flash:-5", "gemini-2.5-flash", { kind: "budget", tokens: -5 }],
  ["gpt-5(high)", "gpt-5", { kind: "effort", effort: "high" }],
  ["claude-sonnet-4-5(8192)", "claude-sonnet-4-5", { kind: "budget", tokens: 8_192 }],
  ["gemini-2.5-flash(-1)", "gemini-2.5-flash", { kind: "auto" }],
  ["gpt-5-high", "gpt-5", { kind: "effort", effort: "high" }],
  ["claude-sonnet-4-5-thinking-8000", "claude-sonnet-4-5", { kind: "budget", tokens: 8_000 }],
  ["claude-sonnet-4-5-Thinking-8K", "claude-sonnet-4-5", { kind: "budget", tokens: 8_192 }],
  ["GPT-5-HIGH", "GPT-5", { kind: "effort", effort: "high" }],
  ["claude-sonnet-4-5-thinking", "claude-sonnet-4-5", { kind: "auto" }],
  ["gemini-2.5-flash-nothinking", "gemini-2.5-flash", { kind: "off" }],
  ["claude-4.6-opus-high-thinking", "claude-4.6-opus", { kind: "effort", effort: "high" }],
  ["claude-sonnet-4-5-thinking-high", "claude-sonnet-4-5", { kind: "effort", effort: "high" }],
  ["claude-sonnet-4-5:thinking", "claude-sonnet-4-5", { kind: "auto" }],
  ["gemini-2.5-flash-auto", "gemini-2.5-flash", { kind: "auto" }],
  ["kimi-k2-thinking-high", "kimi-k2-thinking", { kind: "effort", effort: "high" }],
  ["gpt-5-high-fast", "gpt-5", { kind: "effort", effort: "high" }],
  ["claude-opus-4-6[1m]:high", "claude-opus-4-6", { kind: "effort", effort: "high" }],
  ["claude-opus-4-6:high[1m]", "claude-opus-4-6", { kind: "effort", effort: "high" }],
  [
    "openrouter/anthropic/claude-opus-4.6:high",
    "openrouter/anthropic/claude-opus-4.6",
    { kind: "effort", effort: "high" },
  ],
  [
    "us.anthropic.claude-haiku-4-5-20251001-v1:0(4096)",
    "us.anthropic.claude-haiku-4-5-20251001-v1:0",
    { kind: "budget", tokens: 4_096 },
  ],
  ["claude-sonnet-4-5:20000", "claude-sonnet-4-5", { kind: "budget", tokens: 20_000 }],
  ["claude-opus-4-1:0", "claude-opus-4-1", { kind: "budget", tokens: 0 }],
  ["gpt-4o:high", "gpt-4o", { kind: "effort", effort: "high" }],
])("parses %s", (name, base, requested) => {
  expect(parse(name)).toMatchObject({ base, suffix: { requested } });
});

it.each(["claude-opus-4-6[1m]", "claude-opus-4-6[1M]"])(
  "removes the mark of a long window from %s without requesting reasoning",
  (name) => {
    expect(parse(name)).toEqual({ base: "claude-opus-4-6" });
  },
);

it.each([
  "gpt-oss:20b",
  "llama3:8b",
  "my-model:high",
  "my-model(high)",
  "my-model[1m]",
  "my-model-thinking-8000",
  "qwen-unheard-of-max",
  "deepseek/unheard-of:free",
  "anthropic/claude-opus-4.6:free",
  "anthropic/claude-3.7-sonnet:thinking",
  "openai/gpt-5:nitro",
  "us.anthropic.claude-haiku-4-5-20251001-v1:0",
  "anthropic.claude-haiku-4-5-20251001-v1:0",
  "openai.gpt-oss-120b-1:0",
  "gpt-5.1-codex-max",
  "gpt-5-fast",
  "ft:gpt-4o-mini-2024-07-18:acme::abc123",
  "",
  ":high",
  "(high)",
  "-high",
  "[1m]",
])("does not split %s", (name) => {
  expect(parse(name)).toEqual({ base: name });
});

it.each([
  ["claude-opus-4-6:ultra", "claude-opus-4-6", "ultra"],
  ["o4-mini:1.5k", "o4-mini", "1.5k"],
  ["gemini-2.5-flash(lots)", "gemini-2.5-flash", "lots"],
  ["gpt-5:", "gpt-5", ""],
])("returns the unknown suffix of %s", (name, base, text) => {
  expect(parse(name)).toEqual({ base, suffix: { text } });
});

it("does not split a known name, whatever it looks like", () => {
  expect(parseModelName("o4-mini:high", { isWhole: () => true, isBase: isKnown })).toEqual({ base: "o4-mini:high" });
});

it("does not split Bedrock versions, even after a known name", () => {
  const names = { isWhole: () => false, isBase: () => true };
  expect(parseModelName("my-model-v1:0", names)).toEqual({ base: "my-model-v1:0" });
  expect(parseModelName("my-model-v1:0k", names)).toMatchObject({ base: "my-model-v1" });
});

describe("any name", () => {
  const SUFFIXES = [
    ":4k",
    ":high",
    ":-5",
    ":ultra",
    "(high)",
    "(-1)",
    "-high",
    "-thinking-8000",
    "-thinking",
    "-nothinking",
    "[1m]",
    ":0",
  ];
  const piece = fc.oneof(
    fc.constantFrom(...SUFFIXES, "claude-opus-4-6", "gpt-5", "-v1:0", "/"),
    fc.string({ maxLength: 12 }),
  );
  const anyName = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

  it("never fails, and is not split if the catalog does not know its base", () => {
    fc.assert(
      fc.property(fc.oneof(anyName, fc.string({ maxLength: 300, unit: "binary" })), (name) => {
        const { base, suffix } = parse(name);
        if (base === name) expect(suffix).toBeUndefined();
        else expect(knowsModel(catalog, base)).toBe(true);
        expect(name.startsWith(base)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("with an unknown base is not split at any suffix", () => {
    const unknown = fc
      .string({ minLength: 1, maxLength: 20 })
      .map((word) => `unheard-of/${word}.zz`)
      .filter((word) => ["family", "default"].includes(findModel(catalog, word).matchedBy));
    fc.assert(
      fc.property(unknown, fc.constantFrom(...SUFFIXES), (base, suffix) => {
        expect(parse(`${base}${suffix}`)).toEqual({ base: `${base}${suffix}` });
      }),
    );
  });

  it("that is too long is not parsed", () => {
    const name = `claude-opus-4-6:${"9".repeat(300)}`;
    expect(parse(name)).toEqual({ base: name });
  });
});

describe("knowsModel", () => {
  const catalog = loadCatalog({ "my-model": { window: 8_000 } });

  it("recognizes listed models by all their names, and overrides", () => {
    const names = ["claude-opus-4-6", "anthropic/claude-opus-4.6:free", "claude-opus-4-20250514", "my-model"];
    expect(names.filter((name) => !knowsModel(catalog, name))).toEqual([]);
  });

  it("recognizes neither a name with a suffix nor one that only looks like a family", () => {
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
});
