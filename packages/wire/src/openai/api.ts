import type { JsonObject } from "@longhaul/conversation";
import type { ListedModel, QueryFields, RateLimit } from "../codec/api.ts";
import { readPageSize } from "../fields/json.ts";

/** The catalog has no dates, but both vendors' clients require one. Anthropic's API uses the epoch for an unknown date. */
const UNKNOWN_DATE = { created: 0, created_at: "1970-01-01T00:00:00Z" };

/** Encodes a model for Anthropic's and OpenAI's clients, which share the path. OpenAI's read `object` and `owned_by`, Anthropic's `type` and the limits. */
export function encodePlainModel({ id, vendor, inputTokens, outputTokens }: ListedModel): JsonObject {
  return {
    id,
    object: "model",
    type: "model",
    display_name: id,
    owned_by: vendor,
    ...UNKNOWN_DATE,
    max_input_tokens: inputTokens,
    max_tokens: outputTokens,
  };
}

/** Encodes a page of models for both vendors' clients. */
export function encodePlainModels(models: readonly ListedModel[], query: QueryFields): JsonObject {
  const after = query.get("after_id");
  const from = after === null ? 0 : models.findIndex(({ id }) => id === after) + 1;
  const data = models.slice(from, from + readPageSize(query.get("limit"))).map(encodePlainModel);
  const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
  const has_more = from + data.length < models.length;
  return { object: "list", data, has_more, first_id: first, last_id: last };
}

export function encodeOpenaiRateLimit({
  requests,
  remaining,
  resetSeconds,
}: RateLimit): Readonly<Record<string, string>> {
  return {
    "x-ratelimit-limit-requests": `${requests}`,
    "x-ratelimit-remaining-requests": `${remaining}`,
    "x-ratelimit-reset-requests": `${resetSeconds}s`,
  };
}
