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
} from "@longhaul/conversation";
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
import { brokenReply, readReplyObject, withReplyErrors } from "../reply/read-reply.ts";
import { isPlaceholder, replyCallId } from "./calls.ts";
import { decodeParts, NO_CONTENT } from "./decode-message.ts";
import { encodeParts } from "./encode-message.ts";
import { decodeError } from "./error.ts";
import { VENDOR, WIRE } from "./rules.ts";

/** Reads an upstream's whole reply: its first candidate. */
export function decodeReply(body: unknown, context: ReplyContext = {}): Reply {
  if (isJsonObject(body) && isJsonObject(body.error)) throw decodeError(200, body);
  const reply = isBlocked(body) ? body : readCandidates(body);
  const { first: candidate } = candidatesOf(reply);
  const candidates = listIn(reply.candidates);
  if (candidates.length > 0 && !candidates.some(isJsonObject)) throw brokenReply("its candidates are not objects");
  const id = optionalString(reply.responseId) ?? "";
  const parts = fieldOf(candidate.content, "parts");
  const decoded = withReplyErrors(() => decodeParts(parts, "candidates[0].content.parts", context.vendor));
  const blocks = numberCalls(decoded.filter(hasContent), id);
  const reason = isBlocked(reply) ? BLOCKED : candidate.finishReason;
  return {
    id,
    model: optionalString(reply.modelVersion) ?? "",
    blocks,
    stopReason: decodeStopReason(
      reason,
      blocks.some(({ type }) => type === "tool-call"),
    ),
    usage: decodeUsage(reply.usageMetadata),
    native: { wire: WIRE, value: reply },
  };
}

function readCandidates(body: unknown): JsonObject {
  const reply = readReplyObject(body, "candidates");
  if (listIn(reply.candidates).length > 0) return reply;
  throw brokenReply("it has no candidate");
}

/** Whether the prompt was refused before anything was said. */
export function isBlocked(body: unknown): body is JsonObject {
  if (!isJsonObject(body) || listIn(body.candidates).length > 0) return false;
  return nonEmptyString(fieldOf(body.promptFeedback, "blockReason")) !== undefined;
}

/** Why a reply ends that was refused before it began. */
export const BLOCKED = "PROHIBITED_CONTENT";

/** The candidate that a client gets, and those that only this format can pass on. There may be none of either yet. */
export function candidatesOf({ candidates }: JsonObject): { first: JsonObject; others: readonly JsonValue[] } {
  const list = listIn(candidates);
  const isFirst = (candidate: JsonValue) => (fieldOf(candidate, "index") ?? 0) === 0;
  const { finishReason, ...first } = objectIn(list.find(isFirst));
  const reason = nonEmptyString(finishReason);
  // Until the model stops, the reason is absent, empty or FINISH_REASON_UNSPECIFIED.
  const said = defined({ finishReason: reason === "FINISH_REASON_UNSPECIFIED" ? undefined : reason });
  return { first: { ...first, ...said }, others: list.filter((candidate) => !isFirst(candidate)) };
}

/** Whether a part of a reply has content: a text may be empty, null or absent. */
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

/** Writes a whole reply for a client. */
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

/** Whether the format can say a block of a reply. */
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

/** Reads why the model stopped; calls have no word of their own. */
export function decodeStopReason(reason: JsonValue | undefined, calls: boolean): StopReason {
  const known = (typeof reason === "string" ? STOP_REASONS[reason] : undefined) ?? "other";
  return calls && known === "end" ? "tool-calls" : known;
}

/** Writes why the model stopped. A pause is no continuation of theirs: for that, clients send a token that we don't have. */
export function encodeStopReason(reason: StopReason): string {
  if (reason === "tool-calls" || reason === "stop-sequence") return "STOP";
  if (reason === "context-exceeded") return "MAX_TOKENS";
  const found = Object.entries(STOP_REASONS).find(([, known]) => known === reason && known !== "pause");
  return found?.[0] ?? "OTHER";
}

/** Reads usage. The prompt's figure contains what was cached; what the model thought is beside what it said. */
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

/** Usage that grows while a stream runs: each report replaces the figures that it has. */
export function mergeUsage(before: JsonObject, report: JsonValue | undefined): JsonObject {
  return isJsonObject(report) ? { ...before, ...dropNulls(report) } : before;
}

/** Writes usage. */
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
