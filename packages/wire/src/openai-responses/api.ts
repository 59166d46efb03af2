import type { Api } from "../codec/api.ts";
import { encodeOpenaiRateLimit, encodePlainModel, encodePlainModels } from "../openai/api.ts";

/** The paths and headers of OpenAI's Responses API. */
export const API: Api = {
  endpoints: [
    { method: "POST", path: /^(?:\/v1)?\/responses$/, action: "generate" },
    { method: "POST", path: /^(?:\/v1)?\/responses\/input_tokens$/, action: "count-tokens" },
  ],
  version: "(?:/v1)?",
  passed: {
    calls: ["POST /responses/compact"],
    stateful: [
      "GET|DELETE /responses/{id}",
      "GET /responses/{id}/input_items",
      "POST /responses/{id}/cancel",
      "POST /conversations",
      "GET|POST|DELETE /conversations/{id}",
      "GET|POST /conversations/{id}/items",
      "GET|DELETE /conversations/{id}/items/{item}",
    ],
    shared: [],
  },
  ownTargets: /^\/v1\/(?:responses|conversations)/,
  headers: {},
  hasSocket: true,
  operation: "chat",
  encodeCount: (tokens) => ({ object: "response.input_tokens", input_tokens: tokens }),
  encodeModel: encodePlainModel,
  encodeModels: encodePlainModels,
  encodeRateLimit: encodeOpenaiRateLimit,
};
