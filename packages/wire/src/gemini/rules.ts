import type { Rules } from "../codec/rules.ts";
import { adaptCalls } from "./calls.ts";

export const WIRE = "gemini";

export const VENDOR = "google";

export const RULES: Rules = {
  wire: WIRE,
  vendor: VENDOR,
  lacks: {
    parallelToolCalls: "drop",
    user: "drop",
    "image.detail": "drop",
    "document.context": "drop",
    "document.title": "drop",
  },
  merges: ["user", "assistant"],
  opensWithUser: true,
  systemMessages: false,
  refusesBlankText: true,
  resultsAdjacent: true,
  compaction: false,
  freeTextTools: false,
  toolNames: { illegal: /^[^a-zA-Z_]|[^a-zA-Z0-9_.:-]/g, maxChars: 128 },
  cacheMarks: "none",
  maxCacheMarks: 0,
  markable: new Set(),
  maxStopSequences: 5,
  maxTemperature: 2,
  maxUserChars: 0,
  reasoning: {
    modes: ["off", "effort", "budget", "adaptive"],
    efforts: ["minimal", "low", "medium", "high"],
  },
  adaptLast: adaptCalls,
  acceptsThinking: (block, { vendor }) => block.type === "thinking" && block.vendor === vendor,
};
