import type { Rules } from "../codec/rules.ts";
import { JOINED } from "./namespaces.ts";

/** The name of the format. */
export const WIRE = "openai-responses";

/** Whose sealed reasoning it carries. */
export const VENDOR = "openai";

/** What OpenAI's Responses API cannot express or does not allow. */
export const RULES: Rules = {
  wire: WIRE,
  vendor: VENDOR,
  lacks: {
    "sampling.topK": "drop",
    "sampling.frequencyPenalty": "drop",
    "sampling.presencePenalty": "drop",
    "sampling.seed": "drop",
    "sampling.stopSequences": "drop",
    "document.context": "drop",
  },
  merges: [],
  opensWithUser: false,
  systemMessages: true,
  refusesBlankText: false,
  resultsAdjacent: false,
  compaction: true,
  freeTextTools: true,
  callIds: { illegal: /[^\x21-\x7e]/g, maxChars: 64 },
  toolNames: { illegal: /[^a-zA-Z0-9_-]/g, maxChars: 64, own: JOINED },
  cacheMarks: "none",
  maxCacheMarks: 4,
  marks: new Set(["text", "image", "document", "tool-result"] as const),
  maxStopSequences: 0,
  maxTemperature: 2,
  maxUserChars: 64,
  reasoning: { modes: ["off", "effort"] },
  readsThinking: (block, { vendor }) => {
    if (block.vendor !== vendor) return false;
    // Without its sealed form a piece of reasoning can only be named, which its own server understands.
    return block.type === "redacted-thinking" || block.signature !== undefined || block.native?.wire === WIRE;
  },
};
