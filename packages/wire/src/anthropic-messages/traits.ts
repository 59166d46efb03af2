import { EFFORTS, isJsonObject } from "@longhaul/conversation";
import type { ReasoningWords, Traits } from "../codec/traits.ts";
import { isOneOf } from "../fields/read.ts";
import { isNumber } from "../fields/settings.ts";

/** What Anthropic does with a conversation apart from answering it. */
export const TRAITS: Traits = {
  limitFields: [["max_tokens"]],
  gatewayFields: [],
  unkept: {},
  compaction: "edit",
  hasBetas: true,
  threadField: "thread",
  cacheMarks: {
    field: "cache_control",
    mark: { type: "ephemeral" },
    hourMark: { type: "ephemeral", ttl: "1h" },
    max: 4,
  },
};

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
