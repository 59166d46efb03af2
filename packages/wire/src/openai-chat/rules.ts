import {
  type Block,
  latestUserMessage,
  type Message,
  type RedactedThinkingBlock,
  type Request,
  type ThinkingBlock,
} from "@longhaul/conversation/advanced";
import { withBlocks, withMessages } from "../adapt/blocks.ts";
import type { AdaptContext, Rules } from "../codec/rules.ts";
import { SIGNATURE_PLACEHOLDER } from "../content/signature.ts";

export const WIRE = "openai-chat";

/** The vendor of the model unless the context names another. */
export const VENDOR = "openai";

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
  markable: new Set(["text", "image", "document", "tool-result"] as const),
  maxStopSequences: 4,
  maxTemperature: 2,
  maxUserChars: 64,
  reasoning: { modes: ["off", "effort"] },
  adaptLast: adaptLostThinking,
  acceptsThinking: (block, { destination, vendor, isNative }) => {
    // Plain reasoning from a native client is trusted. Signed reasoning goes only to its vendor.
    const isOwn = block.vendor === undefined || block.vendor === vendor;
    if (destination.thinkingField === undefined) return isNative && isOwn && block.native?.wire === WIRE;
    if (destination.thinkingField === "reasoning_details") return block.native?.wire === WIRE || isAccepted(block);
    if (block.type !== "thinking" || block.text === "") return false;
    return block.signature === undefined || block.vendor === vendor;
  },
};

/** Vendors that accept their reasoning back only with a signature. */
const SIGNING = new Set(["anthropic", "google"]);

function isAccepted(block: ThinkingBlock | RedactedThinkingBlock): boolean {
  if (block.vendor === undefined) return false;
  return block.type !== "thinking" || block.signature !== undefined || !SIGNING.has(block.vendor);
}

/** Adapts calls whose thinking is lost, for servers that reject them (docs/wire/openai-chat.md#thinking). */
export function adaptLostThinking(request: Request, context: AdaptContext): Request {
  const { thinkingField, signedCalls, demandsThinking: demand } = context.destination;
  const isRouter = thinkingField === "reasoning_details";
  if (isRouter && signedCalls === true) return addSignaturePlaceholders(request, context);
  if (demand === undefined || request.reasoning?.mode === "off") return request;
  if (isRouter) return isLost(request, demand) ? withoutThinking(request, context) : request;
  return thinkingField === "reasoning_content" && demand === "always" ? withEmptyThinking(request, context) : request;
}

/** Gemini requires a thought signature for each round of calls. Google accepts a placeholder for calls without one. */
function addSignaturePlaceholders(request: Request, { rules, warn }: AdaptContext): Request {
  return mapLost(request, (first) => {
    warn("reasoning.lost", "changed", "a call without a thought signature was sent with Google's placeholder");
    const data = SIGNATURE_PLACEHOLDER;
    const value = { type: "reasoning.encrypted", data, id: first.id, format: "google-gemini-v1", index: 0 };
    return { type: "redacted-thinking", data, vendor: "google", native: { wire: rules.wire, value } };
  });
}

/** DeepSeek and Moonshot check only that the field exists. */
function withEmptyThinking(request: Request, { warn }: AdaptContext): Request {
  return mapLost(request, () => {
    warn("reasoning.lost", "changed", "the thinking of a call was lost; the call was sent with empty thinking");
    return { type: "thinking", text: "" };
  });
}

function withoutThinking(request: Request, { destination, rules, warn }: AdaptContext): Request {
  if (!(destination.reasoning ?? rules.reasoning).modes.includes("off")) return request;
  warn("reasoning", "dropped", "the thinking of the current tool loop was lost, so thinking was turned off");
  return { ...request, reasoning: { mode: "off" } };
}

/** Claude requires the thinking of the current loop, and only with a budget. Other models require all of it. */
function isLost({ conversation, reasoning }: Request, demand: "in-loop" | "always"): boolean {
  const { messages } = conversation;
  if (demand === "always") return messages.some((message) => lostCall(message) !== undefined);
  const loop = messages.slice(latestUserMessage(messages) + 1);
  return reasoning?.mode === "budget" && loop.some((message) => lostCall(message) !== undefined);
}

type Call = Extract<Block, { type: "tool-call" }>;

function mapLost(request: Request, replacement: (first: Call) => Block): Request {
  const { messages } = request.conversation;
  const whole = messages.map((message) => {
    const first = lostCall(message);
    return first === undefined ? message : withBlocks(message, [replacement(first), ...message.blocks]);
  });
  return whole.every((message, index) => message === messages[index]) ? request : withMessages(request, whole);
}

/** Returns the first call of an assistant message without thinking. */
function lostCall({ role, blocks }: Message): Call | undefined {
  if (role !== "assistant" || blocks.some(({ type }) => type === "thinking" || type === "redacted-thinking")) return;
  return blocks.find((block) => block.type === "tool-call");
}
