import type { Traits } from "../codec/traits.ts";

/** What servers of chat completions do with a conversation apart from answering it. */
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
  keepsResponses: false,
  unkept: {},
  compaction: "none",
  hasBetas: false,
};
