import fc from "fast-check";
import { expect, it } from "vitest";
import { anyUsage } from "../testing/any-reply.ts";
import { decodeUsage, encodeUsage } from "./usage.ts";

it("brings usage back, with the prompt's figure containing what was cached", () => {
  fc.assert(
    fc.property(anyUsage(), (usage) => {
      expect(decodeUsage(encodeUsage(usage))).toEqual(usage);
    }),
  );
  expect(encodeUsage({ inputTokens: 10, cacheReadTokens: 5, cacheWriteTokens: 3, outputTokens: 2 })).toEqual({
    input_tokens: 18,
    input_tokens_details: { cached_tokens: 5, cache_write_tokens: 3 },
    output_tokens: 2,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 20,
  });
  expect(decodeUsage(undefined)).toEqual({ inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 });
});
