import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  promptTokens,
  type Usage,
  usageFromInclusive,
} from "@longhaul/conversation";
import { given } from "../fields/given.ts";
import { countOf, present } from "../fields/read.ts";

/** Reads usage. The prompt's figure contains what was cached; what the model thought is beside what it said. */
export function decodeUsage(value: JsonValue | undefined): Usage {
  const usage = isJsonObject(value) ? value : {};
  const thought = usage.thoughtsTokenCount;
  return usageFromInclusive(
    given({
      inputTokens: countOf(usage.promptTokenCount) + countOf(usage.toolUsePromptTokenCount),
      cacheReadTokens: countOf(usage.cachedContentTokenCount),
      cacheWriteTokens: 0,
      outputTokens: countOf(usage.candidatesTokenCount) + countOf(thought),
      reasoningTokens: typeof thought === "number" ? countOf(thought) : undefined,
    }),
  );
}

/** Usage that grows while a stream runs: each report replaces the figures that it has. */
export function mergeUsage(before: JsonObject, report: JsonValue | undefined): JsonObject {
  return isJsonObject(report) ? { ...before, ...present(report) } : before;
}

/** Writes usage. */
export function encodeUsage(usage: Usage): JsonObject {
  const { cacheReadTokens, outputTokens, reasoningTokens } = usage;
  const prompt = promptTokens(usage);
  return {
    promptTokenCount: prompt,
    ...given({ cachedContentTokenCount: cacheReadTokens === 0 ? undefined : cacheReadTokens }),
    candidatesTokenCount: outputTokens - (reasoningTokens ?? 0),
    ...given({ thoughtsTokenCount: reasoningTokens }),
    totalTokenCount: prompt + outputTokens,
  };
}
