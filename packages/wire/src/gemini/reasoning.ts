import { EFFORTS, isJsonObject } from "@longhaul/conversation";
import { isOneOf, type ReasoningWords } from "../codec/reasoning.ts";

const CONFIG = "generationConfig.thinkingConfig";
const isLevel = isOneOf([...EFFORTS, "thinking_level_unspecified"]);

/** How generateContent speaks of thinking. */
export const REASONING: ReasoningWords = {
  fields: ["generationConfig", "generation_config"],
  known: [
    [CONFIG, isJsonObject],
    [`${CONFIG}.thinkingLevel`, (value) => typeof value === "string" && isLevel(value.toLowerCase())],
    [`${CONFIG}.thinkingBudget`, (value) => typeof value === "number" && value >= -1],
  ],
  isSigned: true,
  excludesOnly: () => false,
};
