import { describe, expect, it } from "vitest";
import { decodeUsage, encodeUsage, mergeUsage } from "./usage.ts";

const COMPACTED = {
  input_tokens: 612,
  cache_creation_input_tokens: 100,
  cache_read_input_tokens: 50,
  output_tokens: 20,
  cache_creation: { ephemeral_1h_input_tokens: 60, ephemeral_5m_input_tokens: 40 },
  output_tokens_details: { thinking_tokens: 5 },
  iterations: [
    {
      type: "compaction",
      input_tokens: 60_385,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 900,
    },
    {
      type: "message",
      input_tokens: 612,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 50,
      output_tokens: 20,
    },
  ],
};

describe("usage", () => {
  it("is read with its rounds, and written back", () => {
    const usage = decodeUsage(COMPACTED);
    expect(usage).toEqual({
      inputTokens: 612,
      cacheReadTokens: 50,
      cacheWriteTokens: 100,
      cacheWriteHourTokens: 60,
      outputTokens: 20,
      reasoningTokens: 5,
      iterations: [{ inputTokens: 60_385, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 900 }],
    });
    expect(encodeUsage(usage)).toEqual(COMPACTED);
  });

  it("is nothing where nothing is said", () => {
    expect(decodeUsage(undefined)).toEqual({
      inputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 0,
    });
    expect(decodeUsage({ cache_read_input_tokens: null, cache_creation: null, iterations: null })).toEqual(
      decodeUsage({}),
    );
  });

  it("grows by reports: each replaces the figures that it has", () => {
    const start = mergeUsage({}, { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: null });
    expect(mergeUsage(start, { output_tokens: 9, input_tokens: null })).toEqual({ input_tokens: 10, output_tokens: 9 });
    expect(mergeUsage(start, undefined)).toBe(start);
  });
});
