import type { Traits } from "../codec/traits.ts";

/** What Anthropic does with a conversation apart from answering it. */
export const TRAITS: Traits = {
  limitFields: [["max_tokens"]],
  gatewayFields: [],
  keepsResponses: false,
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
