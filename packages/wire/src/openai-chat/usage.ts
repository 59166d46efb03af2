import { type JsonObject, type JsonValue, promptTokens, type Usage, usageFromInclusive } from "@longhaul/conversation";
import { given } from "../fields/given.ts";
import { countOf, fieldOf, presentIn } from "../fields/read.ts";

/** Reads usage. The prompt's figure contains what was cached. */
export function decodeUsage(value: JsonValue | undefined): Usage {
  const usage = presentIn(value);
  const details = usage.prompt_tokens_details;
  // OpenAI, DeepSeek and Moonshot have a field of their own each.
  const cached = [fieldOf(details, "cached_tokens"), usage.prompt_cache_hit_tokens, usage.cached_tokens];
  const reasoning = fieldOf(usage.completion_tokens_details, "reasoning_tokens") ?? usage.reasoning_tokens;
  return usageFromInclusive(
    given({
      inputTokens: countOf(usage.prompt_tokens),
      cacheReadTokens: Math.max(...cached.map(countOf)),
      cacheWriteTokens: countOf(fieldOf(details, "cache_write_tokens")),
      outputTokens: outputOf(usage),
      reasoningTokens: typeof reasoning === "number" ? countOf(reasoning) : undefined,
    }),
  );
}

/** Returns the output tokens. xAI and Google's chat endpoint count reasoning only in the total. */
function outputOf({ prompt_tokens, completion_tokens, total_tokens }: JsonObject): number {
  return Math.max(countOf(completion_tokens), countOf(total_tokens) - countOf(prompt_tokens));
}

/** Returns the usage that a reply or chunk reports: in the standard field, Groq's, or Moonshot's. */
export function usageIn(chunk: JsonObject, choices: readonly JsonObject[]): JsonObject | undefined {
  let usage = filled(chunk.usage) ?? filled(fieldOf(chunk.x_groq, "usage"));
  for (const choice of choices) usage ??= filled(choice.usage);
  return usage;
}

function filled(value: JsonValue | undefined): JsonObject | undefined {
  const usage = presentIn(value);
  for (const _ in usage) return usage;
  return undefined;
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
