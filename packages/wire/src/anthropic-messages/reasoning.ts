import { EFFORTS, isJsonObject } from "@longhaul/conversation";
import { isNumber, isOneOf, type ReasoningWords } from "../codec/reasoning.ts";

/** How the Messages API speaks of thinking. */
export const REASONING: ReasoningWords = {
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
