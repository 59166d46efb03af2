import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type Usage } from "@longhaul/conversation";
import { given } from "../fields/given.ts";
import { countOf, fieldOf, present } from "../fields/read.ts";

/** Reads usage. The three input figures of the format do not overlap, like ours. */
export function decodeUsage(value: JsonValue | undefined): Usage {
  const usage = isJsonObject(value) ? value : {};
  const thinking = fieldOf(usage.output_tokens_details, "thinking_tokens");
  const hour = fieldOf(usage.cache_creation, "ephemeral_1h_input_tokens");
  return given({
    inputTokens: countOf(usage.input_tokens),
    cacheReadTokens: countOf(usage.cache_read_input_tokens),
    cacheWriteTokens: countOf(usage.cache_creation_input_tokens),
    cacheWriteHourTokens: hour === 0 ? undefined : optionalCount(hour),
    outputTokens: countOf(usage.output_tokens),
    reasoningTokens: optionalCount(thinking),
    iterations: decodeIterations(usage.iterations),
  });
}

/** The rounds that the totals leave out; the last round, of type `message`, is the totals themselves. */
function decodeIterations(value: JsonValue | undefined): readonly Usage[] | undefined {
  if (value === undefined || !isJsonArray(value)) return undefined;
  const rounds = value.filter((round) => fieldOf(round, "type") !== "message").map(decodeUsage);
  return rounds.length === 0 ? undefined : rounds;
}

function optionalCount(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? countOf(value) : undefined;
}

/**
 * Merges the usage reports of a stream: each report replaces the figures that it has. A zero counts as absent, except for the output, where
 * the first report counts one token too many.
 */
export function mergeUsage(before: JsonObject, report: JsonValue | undefined): JsonObject {
  if (!isJsonObject(report)) return before;
  const said = Object.entries(present(report)).filter(
    ([name, value]) => value !== 0 || name === "output_tokens" || before[name] === undefined,
  );
  return { ...before, ...Object.fromEntries(said) };
}

/** Writes usage. */
export function encodeUsage(usage: Usage): JsonObject {
  const { reasoningTokens, cacheWriteHourTokens: hour, iterations } = usage;
  const details = reasoningTokens === undefined ? undefined : { thinking_tokens: reasoningTokens };
  const rounds = iterations?.map((round) => ({ type: "compaction", ...figuresOf(round) }));
  return {
    ...figuresOf(usage),
    ...given({
      cache_creation: hour === undefined ? undefined : cacheCreation(usage.cacheWriteTokens, hour),
      output_tokens_details: details,
      iterations: rounds === undefined ? undefined : [...rounds, { type: "message", ...figuresOf(usage) }],
    }),
  };
}

/** The four figures that every report of usage has. */
export function figuresOf({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens }: Usage): JsonObject {
  return {
    input_tokens: inputTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
  };
}

function cacheCreation(written: number, hour: number): JsonObject {
  return { ephemeral_1h_input_tokens: hour, ephemeral_5m_input_tokens: Math.max(0, written - hour) };
}
