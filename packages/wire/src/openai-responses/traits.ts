import type { Traits } from "../codec/traits.ts";

/** What OpenAI does with a response apart from answering it. */
export const TRAITS: Traits = {
  limitFields: [["max_output_tokens"]],
  gatewayFields: ["store", "previous_response_id", "conversation"],
  keepsResponses: true,
  unkept: { store: false },
  compaction: "item",
  hasBetas: false,
};
