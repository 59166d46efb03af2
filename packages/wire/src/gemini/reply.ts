import {
  type Block,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  promptTokens,
  type Reply,
  type StopReason,
  table,
  type Usage,
  usageFromInclusive,
} from "@longhaul/conversation/advanced";
import type { ReplyContext } from "../codec/stepper.ts";
import {
  countOf,
  defined,
  dropNulls,
  fieldOf,
  listIn,
  nonEmptyString,
  objectIn,
  optionalString,
} from "../fields/json.ts";
import { brokenReply, hasCalls, readReplyObject, withReplyErrors } from "../reply/read-reply.ts";
import { isPlaceholder, replyCallId } from "./calls.ts";
import { decodeParts, NO_CONTENT } from "./decode-message.ts";
import { encodeParts } from "./encode-message.ts";
import { decodeError } from "./error.ts";
import { VENDOR, WIRE } from "./rules.ts";

/** Decodes the first candidate of a complete reply. */
export function decodeReply(body: unknown, context: ReplyContext = {}): Reply {
  if (isJsonObject(body) && isJsonObject(body.error)) throw decodeError(200, body);
  const reply = isBlocked(body) ? body : readCandidates(body);
  const { first: candidate } = candidatesOf(reply);
  const candidates = listIn(reply.candidates);
  if (candidates.length > 0 && !candidates.some(isJsonObject)) throw brokenReply("the candidates are not objects");
  const id = optionalString(reply.responseId) ?? "";
  const parts = fieldOf(candidate.content, "parts");
  const decoded = withReplyErrors(() => decodeParts(parts, "candidates[0].content.parts", context.vendor));
  const blocks = numberCalls(decoded.filter(hasContent), id);
  const reason = isBlocked(reply) ? BLOCKED : candidate.finishReason;
  return {
    id,
    model: optionalString(reply.modelVersion) ?? "",
    blocks,
    stopReason: decodeStopReason(reason, hasCalls(blocks)),
    usage: decodeUsage(reply.usageMetadata),
    native: { wire: WIRE, value: reply },
  };
}

function readCandidates(body: unknown): JsonObject {
  const reply = readReplyObject(body, "candidates");
  if (listIn(reply.candidates).length > 0) return reply;
  throw brokenReply('"candidates" is empty');
}

/** Whether the prompt was blocked, so that there is no candidate. */
export function isBlocked(body: unknown): body is JsonObject {
  if (!isJsonObject(body) || listIn(body.candidates).length > 0) return false;
  return nonEmptyString(fieldOf(body.promptFeedback, "blockReason")) !== undefined;
}

/** The finish reason of a blocked prompt. */
export const BLOCKED = "PROHIBITED_CONTENT";

/** Returns the candidate for the client, and the others, which only this format can express. A chunk may have neither. */
export function candidatesOf({ candidates }: JsonObject): { first: JsonObject; others: readonly JsonValue[] } {
  const list = listIn(candidates);
  const isFirst = (candidate: JsonValue) => (fieldOf(candidate, "index") ?? 0) === 0;
  const { finishReason, ...first } = objectIn(list.find(isFirst));
  const reason = nonEmptyString(finishReason);
  // Before the model stops, the reason is absent, empty or FINISH_REASON_UNSPECIFIED.
  const stopped = defined({ finishReason: reason === "FINISH_REASON_UNSPECIFIED" ? undefined : reason });
  return { first: { ...first, ...stopped }, others: list.filter((candidate) => !isFirst(candidate)) };
}

/** Whether a part of a reply has content. Its text may be empty, null or absent. */
export function hasContent(block: Block): boolean {
  if (block.type === "opaque") return block.kind !== NO_CONTENT;
  return block.type !== "text" || block.text !== "";
}

function numberCalls(blocks: readonly Block[], replyId: string): readonly Block[] {
  let serial = 0;
  return blocks.map((block) => {
    if (block.type !== "tool-call") return block;
    const id = replyCallId(replyId, serial++, JSON.stringify([block.name, block.input]));
    return isPlaceholder(block.id) ? { ...block, id } : block;
  });
}

export function encodeReply(reply: Reply): JsonObject {
  if (reply.native?.wire === WIRE && isJsonObject(reply.native.value)) return reply.native.value;
  const parts = encodeParts(reply.blocks.filter(isWritable), { vendor: VENDOR, extras: false });
  const finishReason = encodeStopReason(reply.stopReason);
  return {
    candidates: [{ content: { role: "model", parts }, finishReason, index: 0 }],
    usageMetadata: encodeUsage(reply.usage),
    modelVersion: reply.model,
    responseId: reply.id,
  };
}

/** Whether the format can express a block of a reply. */
export function isWritable(block: Block): boolean {
  if (block.type === "opaque") return block.native.wire === WIRE;
  return block.type !== "compaction" && block.type !== "tool-result";
}

const STOP_REASONS: Readonly<Record<string, StopReason>> = table({
  STOP: "end",
  MAX_TOKENS: "length",
  SAFETY: "refusal",
  RECITATION: "refusal",
  BLOCKLIST: "refusal",
  PROHIBITED_CONTENT: "refusal",
  SPII: "refusal",
  IMAGE_SAFETY: "refusal",
  IMAGE_PROHIBITED_CONTENT: "refusal",
  IMAGE_RECITATION: "refusal",
  CONTINUATION: "pause",
  OTHER: "other",
});

/** Decodes the stop reason. Tool calls have no reason of their own. */
export function decodeStopReason(reason: JsonValue | undefined, calls: boolean): StopReason {
  const known = (typeof reason === "string" ? STOP_REASONS[reason] : undefined) ?? "other";
  return calls && known === "end" ? "tool-calls" : known;
}

/** Encodes the stop reason. A pause is not `CONTINUATION`, because that requires a token that we do not have. */
export function encodeStopReason(reason: StopReason): string {
  if (reason === "tool-calls" || reason === "stop-sequence") return "STOP";
  if (reason === "context-exceeded") return "MAX_TOKENS";
  const found = Object.entries(STOP_REASONS).find(([, known]) => known === reason && known !== "pause");
  return found?.[0] ?? "OTHER";
}

/** Decodes usage. The prompt count includes cached tokens; thinking is counted separately from the output. */
export function decodeUsage(value: JsonValue | undefined): Usage {
  const usage = isJsonObject(value) ? value : {};
  const thought = usage.thoughtsTokenCount;
  return usageFromInclusive(
    defined({
      inputTokens: countOf(usage.promptTokenCount) + countOf(usage.toolUsePromptTokenCount),
      cacheReadTokens: countOf(usage.cachedContentTokenCount),
      cacheWriteTokens: 0,
      outputTokens: countOf(usage.candidatesTokenCount) + countOf(thought),
      reasoningTokens: typeof thought === "number" ? countOf(thought) : undefined,
    }),
  );
}

/** Merges the usage reports of a stream: each report replaces the counts that it has. */
export function mergeUsage(before: JsonObject, report: JsonValue | undefined): JsonObject {
  return isJsonObject(report) ? { ...before, ...dropNulls(report) } : before;
}

export function encodeUsage(usage: Usage): JsonObject {
  const { cacheReadTokens, outputTokens, reasoningTokens } = usage;
  const prompt = promptTokens(usage);
  return {
    promptTokenCount: prompt,
    ...defined({ cachedContentTokenCount: cacheReadTokens === 0 ? undefined : cacheReadTokens }),
    candidatesTokenCount: outputTokens - (reasoningTokens ?? 0),
    ...defined({ thoughtsTokenCount: reasoningTokens }),
    totalTokenCount: prompt + outputTokens,
  };
}
