import { EFFORTS, isJsonObject } from "@longhaul/conversation/advanced";
import type { Api, ReasoningFields, Traits } from "../codec/api.ts";
import { isOneOf } from "../fields/json.ts";
import { isNumber } from "../fields/settings.ts";
import { encodePlainModel, encodePlainModels } from "../openai/api.ts";

/** Anthropic's clients always send this header, OpenAI's never do. */
const VERSION_HEADER = "anthropic-version";

/** Anthropic's Messages API. `/v1` is optional, because clients are configured both ways. */
export const API: Api = {
  generatePath: "/v1/messages",
  endpoints: [
    { method: "POST", path: /^(?:\/v1)?\/messages$/, action: "generate" },
    { method: "POST", path: /^(?:\/v1)?\/messages\/count_tokens$/, action: "count-tokens" },
    { method: "GET", path: /^(?:\/v1)?\/models(?:\/(?<model>.+))?$/, action: "list-models", isShared: true },
  ],
  version: "(?:/v1)?",
  passed: {
    calls: [],
    stateful: [
      "GET|POST /messages/batches",
      "GET|DELETE /messages/batches/{id}",
      "GET /messages/batches/{id}/results",
      "POST /messages/batches/{id}/cancel",
    ],
    shared: ["GET|POST /files", "GET|DELETE /files/{id}", "GET /files/{id}/content"],
  },
  clientHeader: VERSION_HEADER,
  ownPaths: /^\/v1\/messages/,
  headers: { [VERSION_HEADER]: "2023-06-01" },
  hasSocket: false,
  operation: "chat",
  encodeCount: (tokens) => ({ input_tokens: tokens }),
  encodeModel: encodePlainModel,
  encodeModels: encodePlainModels,
  encodeRateLimit: ({ requests, remaining, resetsAt }) => ({
    "anthropic-ratelimit-requests-limit": `${requests}`,
    "anthropic-ratelimit-requests-remaining": `${remaining}`,
    "anthropic-ratelimit-requests-reset": resetsAt,
  }),
};

export const TRAITS: Traits = {
  limitFields: [["max_tokens"]],
  gatewayFields: [],
  noStoreFields: {},
  compaction: "edit",
  hasBetas: true,
  threadField: "thread",
  cacheMarks: {
    field: "cache_control",
    mark: { type: "ephemeral" },
    hourMark: { type: "ephemeral", ttl: "1h" },
    max: 4,
  },
};

export const REASONING: ReasoningFields = {
  fields: ["thinking", "output_config"],
  known: [
    ["thinking", (value) => isJsonObject(value) && (value.type !== "enabled" || value.budget_tokens !== undefined)],
    ["thinking.type", isOneOf(["enabled", "disabled", "adaptive", "between_tools"])],
    ["thinking.budget_tokens", isNumber],
    ["output_config.effort", isOneOf(EFFORTS)],
  ],
  isSigned: true,
  excludesOnly: () => false,
};
