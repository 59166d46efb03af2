import type { Traits } from "../codec/traits.ts";

/** What Google does with a conversation apart from answering it. Names inside a body come in two spellings. */
export const TRAITS: Traits = {
  limitFields: [
    ["generationConfig", "maxOutputTokens", "max_output_tokens"],
    ["generation_config", "maxOutputTokens", "max_output_tokens"],
  ],
  gatewayFields: [],
  keepsResponses: false,
  unkept: {},
  compaction: "none",
  hasBetas: false,
};
