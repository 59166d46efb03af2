import type { RedactedThinkingBlock, ThinkingBlock } from "@longhaul/conversation";
import type { Rules } from "../codec/rules.ts";
import { settleLostThinking } from "./lost-thinking.ts";

/** The name of the format. */
export const WIRE = "openai-chat";

/** Whose model answers where nobody says otherwise. */
export const VENDOR = "openai";

/** What OpenAI's chat completions, and the servers that imitate them, cannot express or do not allow. */
export const RULES: Rules = {
  wire: WIRE,
  vendor: VENDOR,
  lacks: {
    "sampling.topK": "drop",
    "image.file": "refuse",
    "document.url": "refuse",
    "document.context": "drop",
  },
  merges: ["assistant"],
  opensWithUser: false,
  systemMessages: true,
  refusesBlankText: false,
  resultsAdjacent: true,
  compaction: false,
  freeTextTools: true,
  callIds: { illegal: /[^\x21-\x7e]/g, maxChars: 40 },
  toolNames: { illegal: /[^a-zA-Z0-9_-]/g, maxChars: 64 },
  cacheMarks: "none",
  maxCacheMarks: 4,
  marks: new Set(["text", "image", "document", "tool-result"] as const),
  maxStopSequences: 4,
  maxTemperature: 2,
  maxUserChars: 64,
  reasoning: { modes: ["off", "effort"] },
  settle: settleLostThinking,
  readsThinking: (block, { target, vendor, isNative }) => {
    // A client that sends plain reasoning to a server of this format knows why; what is signed is its maker's alone.
    const isOwn = block.vendor === undefined || block.vendor === vendor;
    if (target.thinkingField === undefined) return isNative && isOwn && block.native?.wire === WIRE;
    if (target.thinkingField === "reasoning_details") return block.native?.wire === WIRE || isAccepted(block);
    if (block.type !== "thinking" || block.text === "") return false;
    return block.signature === undefined || block.vendor === vendor;
  },
};

/** Vendors that take none of their reasoning back without a proof of it. */
const SIGNING = new Set(["anthropic", "google"]);

function isAccepted(block: ThinkingBlock | RedactedThinkingBlock): boolean {
  if (block.vendor === undefined) return false;
  return block.type !== "thinking" || block.signature !== undefined || !SIGNING.has(block.vendor);
}
