import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBedrockId, keysIn, platformIn, readings, vendorIn, vendorName, withoutPlatform } from "./names.ts";

function keys(name: string): string[] {
  return [...readings(name)].map(({ key }) => key);
}

describe("readings", () => {
  it("starts with the name itself and ends with the one with the most removed", () => {
    expect(keys("openrouter/anthropic/claude-opus-4.6:free")).toEqual([
      "openrouter/anthropic/claude-opus-4.6:free",
      "anthropic/claude-opus-4.6:free",
      "claude-opus-4.6:free",
      "claude-opus-4-6:free",
      "openrouter/anthropic/claude-opus-4.6",
      "anthropic/claude-opus-4.6",
      "claude-opus-4.6",
      "claude-opus-4-6",
    ]);
  });

  it("reverses Cursor's word order and keeps its effort level", () => {
    expect([...readings("claude-4.6-opus-high-thinking")].at(-1)).toEqual({
      key: "claude-opus-4-6",
      by: "spelling",
      lead: "",
      tail: "",
      suffix: "high-thinking",
    });
  });

  it("separates region, vendor and version of a Bedrock id", () => {
    expect([...readings("EU.anthropic.claude-haiku-4-5-20251001-v1:0")].at(-1)).toEqual({
      key: "claude-haiku-4-5",
      by: "prefix",
      lead: "eu.anthropic.",
      tail: "-20251001-v1:0",
      suffix: "",
    });
  });

  it("treats a colon as an effort level only if it is one", () => {
    expect([...readings("gpt-5:high")].at(-1)).toMatchObject({ key: "gpt-5", suffix: "high", tail: "" });
    expect([...readings("gpt-5:16k")].at(-1)).toMatchObject({ key: "gpt-5", suffix: "16k", tail: "" });
    expect([...readings("llama3:8b")].at(-1)).toMatchObject({ key: "llama3:8b", suffix: "" });
    expect([...readings("gpt-5-high:free")].at(-1)).toMatchObject({ key: "gpt-5", suffix: "high", tail: ":free" });
  });

  it("never removes the whole name", () => {
    for (const name of ["-high", ":free", "-20250514", "", "/", "~"])
      expect(keys(name)).toContain(name.replace("~", ""));
  });

  it("does not parse overlong names, and limits the number of suffixes", () => {
    expect(keys("a/".repeat(129))).toEqual([]);
    expect(keys(`${"a/".repeat(60)}b${"-high".repeat(25)}`).length).toBeLessThan(1_000);
  });

  it("can be joined to the original name", () => {
    const word = fc.constantFrom(
      "claude",
      "gpt",
      "opus",
      "4",
      "4.6",
      "high",
      "20250514",
      "v1:0",
      "free",
      "us.anthropic.",
    );
    const name = fc.array(fc.tuple(word, fc.constantFrom("-", ":", "/", "@", "")), { maxLength: 8 });
    fc.assert(
      fc.property(name, (parts) => {
        const text = parts.flat().join("");
        for (const { key, lead, tail, suffix, by } of readings(text)) {
          if (by !== "spelling" && suffix === "") expect(text.endsWith(`${lead}${key}${tail}`)).toBe(true);
        }
      }),
    );
  });
});

describe("vendorName", () => {
  it.each([
    ["claude-opus-4-6", "claude-opus-4-6"],
    ["anthropic/claude-opus-4.6", "claude-opus-4-6"],
    ["us.anthropic.claude-opus-4-6-v1", "claude-opus-4-6"],
    ["global.anthropic.claude-haiku-4-5-20251001-v1:0", "claude-haiku-4-5"],
    ["claude-opus-4-5@20251101", "claude-opus-4-5"],
    ["claude-opus-4-0", "claude-opus-4"],
    ["claude-3-opus-latest", "claude-3-opus"],
    ["claude-4-sonnet", "claude-sonnet-4"],
    ["claude-sonnet-3.7", "claude-3-7-sonnet"],
    ["claude-5.0-opus", "claude-opus-5"],
    ["gpt-4o-2024-05-13", "gpt-4o"],
    ["gpt-35-turbo", "gpt-3.5-turbo"],
    ["gpt-4-1-mini", "gpt-4.1-mini"],
    ["gpt-4-0613", "gpt-4-0613"],
    ["gemini-pro-latest", "gemini-pro-latest"],
    ["google/gemini-2.5-pro", "gemini-2.5-pro"],
    ["openai.gpt-oss-120b-1:0", "gpt-oss-120b"],
    ["deepseek.v3.2", "deepseek.v3.2"],
    ["cohere/north-mini-code:free", "north-mini-code"],
  ])("is for %s %s", (id, name) => {
    expect(vendorName(id)).toBe(name);
  });
});

it.each([
  ["openrouter/anthropic/claude-opus-4.6", "openrouter"],
  ["anthropic/claude-opus-4-6", "anthropic"],
  ["models/gemini-2.5-pro", "google"],
  ["vertex_ai/claude-opus-4-6", "vertex"],
  ["claude-opus-4-5@20251101", "vertex"],
  ["projects/p/locations/l/publishers/google/models/gemini-2.5-pro", "vertex"],
  ["us.anthropic.claude-opus-4-6-v1", "bedrock"],
  ["arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-6-v1", "bedrock"],
  ["bedrock/my-model", "bedrock"],
  ["claude-opus-4-6", undefined],
  ["~anthropic/claude-opus-latest", "openrouter"],
  ["some/model", undefined],
  ["gpt-5.4", undefined],
])("finds in %s the platform %s", (name, platform) => {
  expect(platformIn(name)).toBe(platform);
});

it("finds the vendor in an id", () => {
  expect(vendorIn("us.anthropic.claude-opus-4-6-v1")).toBe("anthropic");
  expect(vendorIn("~Google/gemini-flash-latest")).toBe("google");
  expect(vendorIn("gpt-4o")).toBeUndefined();
});

it("removes only the platform's own prefix", () => {
  expect(withoutPlatform("OpenRouter/openai/gpt-5", "openrouter")).toBe("openai/gpt-5");
  expect(withoutPlatform("openai/gpt-5", "openrouter")).toBe("openai/gpt-5");
  expect(withoutPlatform("openai/gpt-5", "openai")).toBe("gpt-5");
  expect(withoutPlatform("Qwen/Qwen3-Coder", "other")).toBe("Qwen/Qwen3-Coder");
  expect(withoutPlatform("/x", undefined)).toBe("/x");
});

it("distinguishes Bedrock's ids and versions from other names", () => {
  expect(["anthropic.claude-opus-5", "eu.meta.llama3"].every(isBedrockId)).toBe(true);
  expect(["gpt-5.4", "qwen3.8-max", "deepseek.v3.2"].some(isBedrockId)).toBe(false);
});

it("returns an id, the id without prefix, region and version, and the vendor's spelling", () => {
  expect(keysIn("EU.anthropic.claude-opus-4.6-v1:0")).toEqual([
    "eu.anthropic.claude-opus-4.6-v1:0",
    "claude-opus-4.6-v1:0",
    "claude-opus-4-6-v1:0",
    "eu.anthropic.claude-opus-4.6",
    "claude-opus-4.6",
    "claude-opus-4-6",
  ]);
  expect(keysIn("~x-ai/grok-latest")).toEqual(["x-ai/grok-latest", "grok-latest"]);
});

it("keeps the parts of an id that distinguish models", () => {
  for (const id of ["m-20250514", "m:free", "m-high", "m-preview", "-v1:0"]) expect(keysIn(id)).toEqual([id]);
  for (const version of ["-v1:0", "-v2", "-1:0", "-v1:0:200k"]) expect(keysIn(`m${version}`)).toContain("m");
});
