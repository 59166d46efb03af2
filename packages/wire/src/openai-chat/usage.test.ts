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
    prompt_tokens: 18,
    completion_tokens: 2,
    total_tokens: 20,
    prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 3 },
  });
});

it("knows DeepSeek's field, and never counts below nothing", () => {
  expect(decodeUsage({ prompt_tokens: 10, prompt_cache_hit_tokens: 4 })).toMatchObject({
    inputTokens: 6,
    cacheReadTokens: 4,
  });
  expect(decodeUsage({ prompt_tokens: 3, prompt_tokens_details: { cached_tokens: 9 } })).toMatchObject({
    inputTokens: 0,
  });
  expect(decodeUsage(null)).toEqual({ inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 });
});
