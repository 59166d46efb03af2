import {
  isJsonArray,
  isJsonObject,
  latestUserMessage,
  type Message,
  type Request,
} from "@longhaul/conversation/advanced";
import type { AdaptContext, Rules } from "../codec/rules.ts";
import { fieldOf } from "../fields/json.ts";

export const WIRE = "anthropic-messages";

export const VENDOR = "anthropic";

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
  markable: new Set(["tool", "text", "image", "document", "tool-call", "tool-result", "compaction", "opaque"] as const),
  maxStopSequences: Number.POSITIVE_INFINITY,
  maxTemperature: 1,
  maxUserChars: 256,
  reasoning: {
    modes: ["off", "effort", "budget", "adaptive"],
    efforts: ["low", "medium", "high", "xhigh", "max"],
    minBudgetTokens: 1_024,
  },
  adaptLast: adaptThinking,
  acceptsThinking: (block, { vendor }) => {
    const signature = block.type === "thinking" ? block.signature : block.data;
    return block.vendor === vendor && signature !== undefined && signature !== "";
  },
};

/** Resolves settings that the API rejects in combination with thinking (docs/wire/anthropic-messages.md#thinking). */
export function adaptThinking(request: Request, context: AdaptContext): Request {
  if (request.reasoning?.mode === "off") {
    // If the client itself turned thinking off, its other settings are left alone.
    const isDisabled = fieldOf(fieldOf(request.native?.value, "thinking"), "type") === "disabled";
    return isDisabled ? request : dropClearing(request, context);
  }
  if (!thinks(request, context)) return request;
  const obstacle = obstacleToThinking(request);
  if (obstacle === undefined) return dropSampling(request, context);
  const { reasoning: _, ...rest } = request;
  context.warn("reasoning", "dropped", obstacle);
  return dropClearing(rest, context);
}

const CLEARING = "clear_thinking_20251015";

/** Drops the edit that clears old thinking, because the API rejects it without thinking. */
function dropClearing(request: Request, { warn }: AdaptContext): Request {
  const { context_management: management, ...extra } = request.extra ?? {};
  if (!isJsonObject(management) || management.edits === undefined || !isJsonArray(management.edits)) return request;
  const edits = management.edits.filter((edit) => fieldOf(edit, "type") !== CLEARING);
  if (edits.length === management.edits.length) return request;
  warn("reasoning.clearing", "dropped", "the request has no thinking to clear");
  const rest = edits.length === 0 ? {} : { context_management: { ...management, edits } };
  return { ...request, extra: { ...extra, ...rest } };
}

/** Whether the request turns thinking on. A native client's effort alone leaves that to the model. */
function thinks({ reasoning }: Request, { isNative }: AdaptContext): boolean {
  if (reasoning === undefined || reasoning.mode === "off") return false;
  return reasoning.mode !== "effort" || !isNative;
}

function obstacleToThinking({ reasoning, toolChoice, conversation }: Request): string | undefined {
  if (toolChoice?.kind === "required" || toolChoice?.kind === "tool")
    return "thinking cannot be combined with a forced tool call";
  if (reasoning?.mode !== "budget" || !isInUnsignedLoop(conversation.messages)) return undefined;
  return "a tool loop that started without thinking must continue without it";
}

/** Whether the current tool loop has a call without thinking, for example from another vendor's model. */
function isInUnsignedLoop(messages: readonly Message[]): boolean {
  const loop = messages.slice(latestUserMessage(messages) + 1).filter(({ role }) => role === "assistant");
  return loop.some(({ blocks }) => {
    // A compaction block may precede the thinking.
    const first = blocks.find(({ type }) => type !== "compaction")?.type;
    const calls = blocks.some(({ type }) => type === "tool-call");
    return calls && first !== "thinking" && first !== "redacted-thinking";
  });
}

/** The lowest `top_p` that the API allows with thinking. */
const MIN_TOP_P = 0.95;

/** Drops sampling that the API rejects with thinking: any temperature but 1, any `top_k`, and a low `top_p`. */
function dropSampling(request: Request, { warn }: AdaptContext): Request {
  const { temperature, topP, topK } = request.sampling;
  const dropped = [
    ...(temperature === undefined || temperature === 1 ? [] : ["temperature"]),
    ...(topP === undefined || topP >= MIN_TOP_P ? [] : ["topP"]),
    ...(topK === undefined ? [] : ["topK"]),
  ];
  if (dropped.length === 0) return request;
  for (const name of dropped) {
    warn(`sampling.${name}`, "dropped", "cannot be combined with thinking");
  }
  const kept = Object.entries(request.sampling).filter(([name]) => !dropped.includes(name));
  return { ...request, sampling: Object.fromEntries(kept) };
}
