import { EFFORTS, isJsonObject } from "@longhaul/conversation";
import type { ReasoningWords, Traits } from "../codec/traits.ts";
import { isOneOf } from "../fields/read.ts";

/** What Google does with a conversation apart from answering it. Names inside a body come in two spellings. */
export const TRAITS: Traits = {
  limitFields: [
    ["generationConfig", "maxOutputTokens", "max_output_tokens"],
    ["generation_config", "maxOutputTokens", "max_output_tokens"],
  ],
  gatewayFields: [],
  unkept: {},
  compaction: "none",
  hasBetas: false,
};

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
