import { EFFORTS, isJsonObject } from "@longhaul/conversation";
import type { ReasoningWords, Traits } from "../codec/traits.ts";
import { isOneOf } from "../fields/read.ts";
import { isNumber } from "../fields/settings.ts";
import { OPENAI_REASONING } from "../openai/shape.ts";

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
  unkept: {},
  compaction: "none",
  hasBetas: false,
};

/** How chat completions speak of thinking; the object `reasoning` is OpenRouter's. */
export const REASONING: ReasoningWords = {
  fields: ["reasoning", "reasoning_effort"],
  known: [["reasoning_effort", isOneOf(EFFORTS)], ...OPENAI_REASONING, ["reasoning.max_tokens", isNumber]],
  isSigned: false,
  excludesOnly: ({ reasoning }) =>
    isJsonObject(reasoning) && Object.keys(reasoning).every((name) => name === "exclude"),
};
