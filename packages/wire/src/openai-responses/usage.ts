import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  promptTokens,
  type Usage,
  usageFromInclusive,
} from "@longhaul/conversation";
import { given } from "../fields/given.ts";
import { countOf, fieldOf } from "../fields/read.ts";

/** Reads usage. The prompt's figure contains what was cached. */
export function decodeUsage(value: JsonValue | undefined): Usage {
  const usage = isJsonObject(value) ? value : {};
  const details = usage.input_tokens_details;
  const reasoning = fieldOf(usage.output_tokens_details, "reasoning_tokens");
  return usageFromInclusive(
    given({
      inputTokens: countOf(usage.input_tokens),
      cacheReadTokens: countOf(fieldOf(details, "cached_tokens")),
      cacheWriteTokens: countOf(fieldOf(details, "cache_write_tokens")),
      outputTokens: countOf(usage.output_tokens),
      reasoningTokens: typeof reasoning === "number" ? countOf(reasoning) : undefined,
    }),
  );
}

/** Writes usage. */
export function encodeUsage(usage: Usage): JsonObject {
  const prompt = promptTokens(usage);
  const { cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage;
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
    total_tokens: prompt + outputTokens,
  };
}
