import { OPENAI_REASONING, type ReasoningWords } from "../codec/reasoning.ts";

/** How the Responses API speaks of thinking. */
export const REASONING: ReasoningWords = {
  fields: ["reasoning"],
  known: OPENAI_REASONING,
  isSigned: true,
  excludesOnly: () => false,
};
