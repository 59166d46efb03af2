import {
  type Block,
  type ContextEditsReport,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Reply,
  type StopReason,
  table,
} from "@longhaul/conversation";
import type { ReplyContext } from "../codec/stepper.ts";
import { given } from "../fields/given.ts";
import { filledString, optionalString } from "../fields/read.ts";
import { readingReply, readReplyObject } from "../reply/read-reply.ts";
import { encodeContextManagement, openingBlocks, withRounds } from "./context-management.ts";
import { decodeContent } from "./decode-message.ts";
import { encodeBlock } from "./encode-message.ts";
import { VENDOR, WIRE } from "./rules.ts";
import { decodeUsage, encodeUsage } from "./usage.ts";

/** Reads an upstream's whole reply. */
export function decodeReply(body: unknown, context: ReplyContext = {}): Reply {
  const reply = readReplyObject(body, "content");
  return given({
    id: optionalString(reply.id) ?? "",
    model: optionalString(reply.model) ?? "",
    blocks: readingReply(() => decodeContent(reply.content, "content", context.vendor)),
    stopReason: decodeStopReason(reply.stop_reason),
    stopSequence: filledString(reply.stop_sequence),
    usage: decodeUsage(reply.usage),
    native: { wire: WIRE, value: reply },
  });
}

/** Writes a whole reply for a client. */
export function encodeReply(reply: Reply, { contextEdits }: ReplyContext = {}): JsonObject {
  const spelled = spellReply(reply);
  return contextEdits === undefined ? spelled : withReport(spelled, contextEdits);
}

function withReport(spelled: JsonObject, report: ContextEditsReport): JsonObject {
  const content = spelled.content !== undefined && isJsonArray(spelled.content) ? spelled.content : [];
  return {
    ...spelled,
    content: [...openingBlocks(report), ...content],
    usage: withRounds(isJsonObject(spelled.usage) ? spelled.usage : {}, report),
    context_management: encodeContextManagement(report),
  };
}

function spellReply(reply: Reply): JsonObject {
  if (reply.native?.wire === WIRE && isJsonObject(reply.native.value)) return reply.native.value;
  return {
    id: reply.id,
    type: "message",
    role: "assistant",
    model: reply.model,
    content: reply.blocks.flatMap(encodeReplyBlock),
    stop_reason: encodeStopReason(reply.stopReason),
    stop_sequence: reply.stopSequence ?? null,
    usage: encodeUsage(reply.usage),
  };
}

/** Writes one block of a reply; what the format has no words for is left out. */
function encodeReplyBlock(block: Block): readonly JsonObject[] {
  if (!isWritable(block)) return [];
  const proof = block.type === "tool-call" ? callProof(block.signature) : [];
  return [...proof, encodeBlock(block, { vendor: VENDOR, extras: false })];
}

/** Whether the format can say a block of a reply. */
export function isWritable(block: Block): boolean {
  if (block.type === "opaque") return block.native.wire === WIRE;
  if (block.type === "compaction") return block.vendor === VENDOR;
  return block.type !== "image" && block.type !== "document" && block.type !== "tool-result";
}

/** Gemini's proof of the reasoning behind a call has no place in this format: it travels as thinking that stands before the call. */
export function callProof(signature: string | undefined): readonly JsonObject[] {
  if (signature === undefined) return [];
  const proof: Block = { type: "thinking", text: "", signature, vendor: "google" };
  return [encodeBlock(proof, { vendor: VENDOR, extras: false })];
}

const STOP_REASONS: Readonly<Record<string, StopReason>> = table({
  end_turn: "end",
  max_tokens: "length",
  stop_sequence: "stop-sequence",
  tool_use: "tool-calls",
  pause_turn: "pause",
  refusal: "refusal",
  model_context_window_exceeded: "context-exceeded",
  compaction: "compaction",
});

/** Reads why the model stopped. */
export function decodeStopReason(reason: JsonValue | undefined): StopReason {
  return (typeof reason === "string" ? STOP_REASONS[reason] : undefined) ?? "other";
}

/** Writes why the model stopped. */
export function encodeStopReason(reason: StopReason): string {
  for (const word in STOP_REASONS) if (STOP_REASONS[word] === reason) return word;
  return "end_turn";
}
