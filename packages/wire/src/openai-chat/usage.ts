import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  promptTokens,
  type Usage,
  usageFromInclusive,
} from "@longhaul/conversation";
import { given } from "../given.ts";
import { countOf, fieldOf } from "../read.ts";

/** Reads usage. The prompt's figure contains what was cached. */
export function decodeUsage(value: JsonValue | undefined): Usage {
  const usage = isJsonObject(value) ? value : {};
  const details = usage.prompt_tokens_details;
  const reasoning = fieldOf(usage.completion_tokens_details, "reasoning_tokens");
  return usageFromInclusive(
    given({
      inputTokens: countOf(usage.prompt_tokens),
      // DeepSeek has a field of its own.
      cacheReadTokens: countOf(fieldOf(details, "cached_tokens") ?? usage.prompt_cache_hit_tokens),
      cacheWriteTokens: countOf(fieldOf(details, "cache_write_tokens")),
      outputTokens: countOf(usage.completion_tokens),
      reasoningTokens: typeof reasoning === "number" ? reasoning : undefined,
    }),
  );
}

/** Writes usage. */
export function encodeUsage(usage: Usage): JsonObject {
  const prompt = promptTokens(usage);
  const { cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage;
  return {
    prompt_tokens: prompt,
    completion_tokens: outputTokens,
    total_tokens: prompt + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens },
    ...(reasoningTokens === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
}
