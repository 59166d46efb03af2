import { EFFORTS, isJsonObject } from "@longhaul/conversation/advanced";
import type { Api, ReasoningFields, Traits } from "../codec/api.ts";
import { isOneOf } from "../fields/json.ts";
import { isNumber } from "../fields/settings.ts";
import { encodeOpenaiRateLimit, encodePlainModel, encodePlainModels } from "../openai/api.ts";
import { OPENAI_REASONING } from "../openai/shape.ts";

/** OpenAI's chat completions API, with OpenAI's other endpoints as passed paths. */
export const API: Api = {
  generatePath: "/v1/chat/completions",
  endpoints: [
    { method: "POST", path: /^(?:\/v1)?\/chat\/completions$/, action: "generate" },
    { method: "GET", path: /^(?:\/v1)?\/models(?:\/(?<model>.+))?$/, action: "list-models" },
  ],
  version: "(?:/v1)?",
  passed: {
    calls: [
      "POST /embeddings",
      "POST /completions",
      "POST /moderations",
      "POST /audio/speech",
      "POST /audio/transcriptions",
      "POST /audio/translations",
      "POST /images/generations",
      "POST /images/edits",
      "POST /images/variations",
    ],
    stateful: [
      "GET|POST /files",
      "GET|DELETE /files/{id}",
      "GET /files/{id}/content",
      "GET|POST /batches",
      "GET /batches/{id}",
      "POST /batches/{id}/cancel",
      "GET|POST /vector_stores",
      "GET|POST|DELETE /vector_stores/{id}",
      "POST /vector_stores/{id}/search",
      "GET|POST /vector_stores/{id}/files",
      "GET|POST|DELETE /vector_stores/{id}/files/{file}",
      "GET /vector_stores/{id}/files/{file}/content",
      "POST /vector_stores/{id}/file_batches",
      "GET /vector_stores/{id}/file_batches/{batch}",
      "POST /vector_stores/{id}/file_batches/{batch}/cancel",
      "GET /vector_stores/{id}/file_batches/{batch}/files",
    ],
    shared: [],
  },
  ownPaths: /^\/v1\/(?!responses|conversations)/,
  headers: {},
  hasSocket: false,
  operation: "chat",
  encodeCount: (tokens) => ({ input_tokens: tokens }),
  encodeModel: encodePlainModel,
  encodeModels: encodePlainModels,
  encodeRateLimit: encodeOpenaiRateLimit,
};

export const TRAITS: Traits = {
  sibling: {
    wire: "openai-responses",
    lacks: [
      "audio",
      "function_call",
      "functions",
      "logit_bias",
      "logprobs",
      "modalities",
      "n",
      "prediction",
      "top_logprobs",
      "web_search_options",
    ],
  },
  limitFields: [["max_tokens"], ["max_completion_tokens"]],
  gatewayFields: ["stream_options"],
  noStoreFields: {},
  compaction: "none",
  hasBetas: false,
};

/** The object `reasoning` is OpenRouter's. */
export const REASONING: ReasoningFields = {
  fields: ["reasoning", "reasoning_effort"],
  known: [["reasoning_effort", isOneOf(EFFORTS)], ...OPENAI_REASONING, ["reasoning.max_tokens", isNumber]],
  isSigned: false,
  excludesOnly: ({ reasoning }) =>
    isJsonObject(reasoning) && Object.keys(reasoning).every((name) => name === "exclude"),
};
