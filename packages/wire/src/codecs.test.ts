import { describe, expect, it } from "vitest";
import { CODECS, codecNamed, codecOf, findCodec } from "./codecs.ts";

describe("codecOf", () => {
  it("finds every codec by its id", () => {
    for (const codec of CODECS) expect(codecOf(codec.id)).toBe(codec);
    expect(new Set(CODECS.map(({ id }) => id)).size).toBe(CODECS.length);
  });

  it("lists the known formats for an unknown name", () => {
    expect(() => codecNamed("morse")).toThrow(/"morse"; known formats: anthropic-messages, /);
  });
});

describe("findCodec", () => {
  it("finds wire formats only", () => {
    expect(findCodec("gemini")).toBe(codecOf("gemini"));
    expect([findCodec("claude-code"), findCodec(undefined)]).toEqual([undefined, undefined]);
  });
});

describe("decodeUsage", () => {
  it.each([
    ["anthropic-messages", { input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 5 }],
    ["openai-chat", { prompt_tokens: 7, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } }],
    ["openai-responses", { input_tokens: 7, output_tokens: 5, input_tokens_details: { cached_tokens: 4 } }],
    ["gemini", { promptTokenCount: 7, cachedContentTokenCount: 4, candidatesTokenCount: 5 }],
  ])("decodes the fields of %s", (wire, value) => {
    const usage = { inputTokens: 3, cacheReadTokens: 4, cacheWriteTokens: 0, outputTokens: 5 };
    expect(codecNamed(wire).decodeUsage(value)).toEqual(usage);
  });
});
