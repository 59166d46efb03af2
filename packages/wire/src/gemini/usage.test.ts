import { describe, expect, it } from "vitest";
import { decodeUsage, encodeUsage, mergeUsage } from "./usage.ts";

describe("decodeUsage", () => {
  it("takes what was cached out of the prompt and adds what was thought to the output", () => {
    const usage = {
      promptTokenCount: 29,
      cachedContentTokenCount: 20,
      candidatesTokenCount: 15,
      thoughtsTokenCount: 804,
      totalTokenCount: 848,
    };
    const read = {
      inputTokens: 9,
      cacheReadTokens: 20,
      cacheWriteTokens: 0,
      outputTokens: 819,
      reasoningTokens: 804,
    };
    expect(decodeUsage(usage)).toEqual(read);
    expect(encodeUsage(read)).toEqual(usage);
  });

  it("counts the results of tools that ran at Google as input", () => {
    expect(decodeUsage({ promptTokenCount: 10, toolUsePromptTokenCount: 5 }).inputTokens).toBe(15);
  });

  it("reads figures that are left out as zero", () => {
    const nothing = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
    expect(decodeUsage(undefined)).toEqual(nothing);
    expect(decodeUsage({ promptTokenCount: 7 })).toEqual({ ...nothing, inputTokens: 7 });
  });
});

describe("mergeUsage", () => {
  it("replaces the figures that a later report has", () => {
    const first = mergeUsage({}, { promptTokenCount: 7, candidatesTokenCount: 1 });
    expect(mergeUsage(first, { candidatesTokenCount: 5 })).toEqual({ promptTokenCount: 7, candidatesTokenCount: 5 });
    expect(mergeUsage(first, undefined)).toBe(first);
  });
});

describe("encodeUsage", () => {
  it("writes sums as the API counts them", () => {
    const usage = {
      inputTokens: 100,
      cacheReadTokens: 800,
      cacheWriteTokens: 50,
      outputTokens: 30,
      reasoningTokens: 10,
    };
    expect(encodeUsage(usage)).toEqual({
      promptTokenCount: 950,
      cachedContentTokenCount: 800,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 10,
      totalTokenCount: 980,
    });
  });

  it("leaves out what nobody knows", () => {
    const usage = { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 2 };
    expect(encodeUsage(usage)).toEqual({ promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 });
  });
});
