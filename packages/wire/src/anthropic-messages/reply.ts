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
  type Usage,
} from "@longhaul/conversation/advanced";
import type { ReplyContext } from "../codec/stepper.ts";
import { countOf, defined, dropNulls, fieldOf, listIn, nonEmptyString, optionalString } from "../fields/json.ts";
import { readReplyObject, withReplyErrors } from "../reply/read-reply.ts";
import { encodeContextManagement } from "./context-management.ts";
import { decodeContent } from "./decode-message.ts";
import { encodeBlock } from "./encode-message.ts";
import { VENDOR, WIRE } from "./rules.ts";

export function decodeReply(body: unknown, context: ReplyContext = {}): Reply {
  const reply = readReplyObject(body, "content");
  return defined({
    id: optionalString(reply.id) ?? "",
    model: optionalString(reply.model) ?? "",
    blocks: withReplyErrors(() => decodeContent(reply.content, "content", context.vendor)),
    stopReason: decodeStopReason(reply.stop_reason),
    stopSequence: nonEmptyString(reply.stop_sequence),
    usage: decodeUsage(reply.usage),
    native: { wire: WIRE, value: reply },
  });
}

export function encodeReply(reply: Reply, { contextEdits }: ReplyContext = {}): JsonObject {
  const body = encodeMessageBody(reply);
  return contextEdits === undefined ? body : withReport(body, contextEdits);
}

function withReport(body: JsonObject, report: ContextEditsReport): JsonObject {
  return {
    ...body,
    content: [...openingBlocks(report), ...listIn(body.content)],
    usage: withRounds(isJsonObject(body.usage) ? body.usage : {}, report),
    context_management: encodeContextManagement(report),
  };
}

function encodeMessageBody(reply: Reply): JsonObject {
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

/** Encodes a block of a reply. Blocks that the format cannot express are dropped. */
function encodeReplyBlock(block: Block): readonly JsonObject[] {
  if (!isWritable(block)) return [];
  const carriers = block.type === "tool-call" ? signatureBlocks(block.signature) : [];
  return [...carriers, encodeBlock(block, { vendor: VENDOR, extras: false })];
}

/** Whether the format can express a block of a reply. */
export function isWritable(block: Block): boolean {
  if (block.type === "opaque") return block.native.wire === WIRE;
  if (block.type === "compaction") return block.vendor === VENDOR;
  return block.type !== "image" && block.type !== "document" && block.type !== "tool-result";
}

/** Encodes Gemini's thought signature of a call as an empty thinking block before it, because the format has no field for it. */
export function signatureBlocks(signature: string | undefined): readonly JsonObject[] {
  if (signature === undefined) return [];
  const carrier: Block = { type: "thinking", text: "", signature, vendor: "google" };
  return [encodeBlock(carrier, { vendor: VENDOR, extras: false })];
}

/** Returns the blocks that open a reply: the compaction block, if the conversation was compacted. */
export function openingBlocks(report: ContextEditsReport | undefined): readonly JsonObject[] {
  if (report?.compaction === undefined) return [];
  return [encodeBlock(report.compaction.block, { vendor: VENDOR, extras: false })];
}

/** Adds the compaction call to the usage as an iteration. The totals do not include it. */
export function withRounds(usage: JsonObject, report: ContextEditsReport | undefined): JsonObject {
  const made = report?.compaction;
  if (made?.usage === undefined) return usage;
  const rounds = made.pausesAfter ? [] : roundsOf(usage);
  return { ...usage, iterations: [{ type: "compaction", ...figuresOf(made.usage) }, ...rounds] };
}

function roundsOf(usage: JsonObject): readonly JsonValue[] {
  const { iterations } = usage;
  if (iterations !== undefined && isJsonArray(iterations)) return iterations;
  return [{ type: "message", ...figuresOf(decodeUsage(usage)) }];
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

/** Decodes the stop reason. */
export function decodeStopReason(reason: JsonValue | undefined): StopReason {
  return (typeof reason === "string" ? STOP_REASONS[reason] : undefined) ?? "other";
}

export function encodeStopReason(reason: StopReason): string {
  for (const word in STOP_REASONS) if (STOP_REASONS[word] === reason) return word;
  return "end_turn";
}

/** Decodes usage. As in the canonical model, the three input counts do not overlap. */
export function decodeUsage(value: JsonValue | undefined): Usage {
  const usage = isJsonObject(value) ? value : {};
  const thinking = fieldOf(usage.output_tokens_details, "thinking_tokens");
  const hour = fieldOf(usage.cache_creation, "ephemeral_1h_input_tokens");
  return defined({
    inputTokens: countOf(usage.input_tokens),
    cacheReadTokens: countOf(usage.cache_read_input_tokens),
    cacheWriteTokens: countOf(usage.cache_creation_input_tokens),
    cacheWriteHourTokens: hour === 0 ? undefined : optionalCount(hour),
    outputTokens: countOf(usage.output_tokens),
    reasoningTokens: optionalCount(thinking),
    iterations: decodeIterations(usage.iterations),
  });
}

/** Decodes the iterations that the totals do not include. The one of type `message` is the totals. */
function decodeIterations(value: JsonValue | undefined): readonly Usage[] | undefined {
  if (value === undefined || !isJsonArray(value)) return undefined;
  const rounds = value.filter((round) => fieldOf(round, "type") !== "message").map(decodeUsage);
  return rounds.length === 0 ? undefined : rounds;
}

function optionalCount(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? countOf(value) : undefined;
}

/**
 * Merges the usage reports of a stream: each report replaces the counts that it has. Zero counts as absent, except for output tokens,
 * because the first report counts one too many.
 */
export function mergeUsage(before: JsonObject, report: JsonValue | undefined): JsonObject {
  if (!isJsonObject(report)) return before;
  const reported = Object.entries(dropNulls(report)).filter(
    ([name, value]) => value !== 0 || name === "output_tokens" || before[name] === undefined,
  );
  return { ...before, ...Object.fromEntries(reported) };
}

export function encodeUsage(usage: Usage): JsonObject {
  const { reasoningTokens, cacheWriteHourTokens: hour, iterations } = usage;
  const details = reasoningTokens === undefined ? undefined : { thinking_tokens: reasoningTokens };
  const rounds = iterations?.map((round) => ({ type: "compaction", ...figuresOf(round) }));
  return {
    ...figuresOf(usage),
    ...defined({
      cache_creation: hour === undefined ? undefined : cacheCreation(usage.cacheWriteTokens, hour),
      output_tokens_details: details,
      iterations: rounds === undefined ? undefined : [...rounds, { type: "message", ...figuresOf(usage) }],
    }),
  };
}

/** Encodes the four counts that every usage report has. */
function figuresOf({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens }: Usage): JsonObject {
  return {
    input_tokens: inputTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
  };
}

function cacheCreation(written: number, hour: number): JsonObject {
  return { ephemeral_1h_input_tokens: hour, ephemeral_5m_input_tokens: Math.max(0, written - hour) };
}
