import { EFFORTS, isJsonObject, type JsonObject } from "@longhaul/conversation/advanced";
import type { Api, ListedModel, QueryFields, ReasoningFields, Traits } from "../codec/api.ts";
import { isOneOf, readPageSize } from "../fields/json.ts";

/** Google's generateContent API. Model names may contain colons and slashes, which Google's SDK does not escape. */
export const API: Api = {
  generatePath: "/v1beta/models/{model}:generateContent",
  endpoints: [
    { method: "GET", path: /^\/v1beta\/models(?:\/(?<model>[^:]+))?$/, action: "list-models" },
    {
      method: "POST",
      path: /^\/(?:v1beta|v1)\/models\/(?<model>.+):(?:generateContent|(?<stream>stream)GenerateContent)$/,
      action: "generate",
      selectsStream: true,
    },
    { method: "POST", path: /^\/(?:v1beta|v1)\/models\/(?<model>.+):countTokens$/, action: "count-tokens" },
  ],
  version: "/(?:v1beta|v1)",
  passed: {
    calls: ["POST /models/{model}:embedContent", "POST /models/{model}:batchEmbedContents"],
    stateful: [],
    shared: [],
  },
  ownPaths: /^\/v1beta\//,
  queryKeyHeader: "x-goog-api-key",
  headers: {},
  hasSocket: false,
  operation: "generate_content",
  // Google streams one JSON array unless the client requests events, as newer SDKs do.
  streamsList: (query) => query.get("alt") !== "sse",
  encodeCount: (tokens) => ({ totalTokens: tokens }),
  // A token count accepts the contents alone, or a whole request one level down.
  countedRequest: ({ generateContentRequest: inner }) => (isJsonObject(inner) ? inner : undefined),
  encodeModel,
  encodeModels,
  // Gemini's clients read no rate-limit headers.
  encodeRateLimit: () => ({}),
};

function encodeModel({ id, inputTokens, outputTokens }: ListedModel): JsonObject {
  return {
    name: `models/${id}`,
    baseModelId: id,
    version: "001",
    displayName: id,
    inputTokenLimit: inputTokens,
    outputTokenLimit: outputTokens,
    supportedGenerationMethods: ["generateContent", "countTokens"],
  };
}

/** Encodes a page of models. The page token is the index of its first model. */
function encodeModels(models: readonly ListedModel[], query: QueryFields): JsonObject {
  const from = Number(query.get("pageToken")) || 0;
  const to = from + readPageSize(query.get("pageSize"));
  const page = { models: models.slice(from, to).map(encodeModel) };
  return to < models.length ? { ...page, nextPageToken: `${to}` } : page;
}

/** Field names are accepted in camel case and snake case. */
export const TRAITS: Traits = {
  limitFields: [
    ["generationConfig", "maxOutputTokens", "max_output_tokens"],
    ["generation_config", "maxOutputTokens", "max_output_tokens"],
  ],
  gatewayFields: [],
  noStoreFields: {},
  compaction: "none",
  hasBetas: false,
};

const CONFIG = "generationConfig.thinkingConfig";
const isLevel = isOneOf([...EFFORTS, "thinking_level_unspecified"]);

export const REASONING: ReasoningFields = {
  fields: ["generationConfig", "generation_config"],
  known: [
    [CONFIG, isJsonObject],
    [`${CONFIG}.thinkingLevel`, (value) => typeof value === "string" && isLevel(value.toLowerCase())],
    [`${CONFIG}.thinkingBudget`, (value) => typeof value === "number" && value >= -1],
  ],
  isSigned: true,
  excludesOnly: () => false,
};
