import { EFFORTS, isJsonObject } from "@longhaul/conversation";
import { isNumber, isOneOf, OPENAI_REASONING, type ReasoningWords } from "../codec/reasoning.ts";

/** How chat completions speak of thinking; the object `reasoning` is OpenRouter's. */
export const REASONING: ReasoningWords = {
  fields: ["reasoning", "reasoning_effort"],
  known: [["reasoning_effort", isOneOf(EFFORTS)], ...OPENAI_REASONING, ["reasoning.max_tokens", isNumber]],
  isSigned: false,
  excludesOnly: ({ reasoning }) =>
    isJsonObject(reasoning) && Object.keys(reasoning).every((name) => name === "exclude"),
};
