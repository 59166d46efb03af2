import type { Rules } from "../codec/rules.ts";
import { settleConflicts } from "./conflicts.ts";

/** The name of the format. */
export const WIRE = "anthropic-messages";

/** Whose signatures it carries. */
export const VENDOR = "anthropic";

/** What Anthropic's Messages API cannot express or does not allow. */
export const RULES: Rules = {
  wire: WIRE,
  vendor: VENDOR,
  lacks: {
    "sampling.frequencyPenalty": "drop",
    "sampling.presencePenalty": "drop",
    "sampling.seed": "drop",
    "outputFormat.json": "drop",
    "image.detail": "drop",
  },
  merges: ["user", "assistant"],
  opensWithUser: true,
  systemMessages: "client",
  refusesBlankText: true,
  resultsAdjacent: true,
  compaction: true,
  freeTextTools: false,
  callIds: { illegal: /[^a-zA-Z0-9_-]/g, maxChars: 64 },
  toolNames: { illegal: /[^a-zA-Z0-9_-]/g, maxChars: 128 },
  cacheMarks: "cache_control",
  maxCacheMarks: 4,
  marks: new Set(["tool", "text", "image", "document", "tool-call", "tool-result", "compaction", "opaque"] as const),
  maxStopSequences: Number.POSITIVE_INFINITY,
  maxTemperature: 1,
  maxUserChars: 256,
  reasoning: {
    modes: ["off", "effort", "budget", "adaptive"],
    efforts: ["low", "medium", "high", "xhigh", "max"],
    minBudgetTokens: 1_024,
  },
  settle: settleConflicts,
  readsThinking: (block, { vendor }) => {
    const proof = block.type === "thinking" ? block.signature : block.data;
    return block.vendor === vendor && proof !== undefined && proof !== "";
  },
};
