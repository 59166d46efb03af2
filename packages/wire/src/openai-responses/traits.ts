import type { ReasoningWords, Traits } from "../codec/traits.ts";
import { OPENAI_REASONING } from "../openai/shape.ts";
import { continues, itemsIn, listedItem, referenceIn } from "./references.ts";

/** What OpenAI does with a response apart from answering it. */
export const TRAITS: Traits = {
  limitFields: [["max_output_tokens"]],
  gatewayFields: ["store", "previous_response_id", "conversation"],
  references: { continues, itemsIn, referenceIn, listedItem },
  unkept: { store: false },
  compaction: "item",
  hasBetas: false,
};

/** How the Responses API speaks of thinking. */
export const REASONING: ReasoningWords = {
  fields: ["reasoning"],
  known: OPENAI_REASONING,
  isSigned: true,
  excludesOnly: () => false,
};
