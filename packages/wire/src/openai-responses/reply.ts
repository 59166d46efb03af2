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
import { countOf, defined, fieldOf, optionalString, readList } from "../fields/json.ts";
import { hasCalls, readReplyObject, withReplyErrors } from "../reply/read-reply.ts";
import { decodeOutput, isRefusal } from "./decode-message.ts";
import { encodeItem, type ResponsesEncodeOptions } from "./encode-message.ts";
import { decodeError } from "./error.ts";
import { VENDOR, WIRE } from "./rules.ts";

export function decodeReply(body: unknown, { vendor }: ReplyContext = {}): Reply {
  const isFailed = isJsonObject(body) && (body.status === "failed" || (body.output ?? undefined) === undefined);
  if (isFailed && isJsonObject(body.error)) throw decodeError(200, body);
  const reply = readReplyObject(body, "output");
  const output = withReplyErrors(() => readList(reply.output, "output"));
  const blocks = withReplyErrors(() => output.flatMap((item, index) => decodeOutput(item, `output[${index}]`, vendor)));
  return {
    id: optionalString(reply.id) ?? "",
    model: optionalString(reply.model) ?? "",
    blocks,
    stopReason: decodeStopReason(reply, { refused: output.some(isRefusal), calls: hasCalls(blocks) }),
    usage: decodeUsage(reply.usage),
    native: { wire: WIRE, value: reply },
  };
}

/** Derives the stop reason from the status and content of a response. */
export function decodeStopReason(response: JsonObject, content: { refused: boolean; calls: boolean }): StopReason {
  if (response.status === "incomplete") {
    const reason = fieldOf(response.incomplete_details, "reason");
    if (reason === "max_output_tokens") return "length";
    return reason === "content_filter" ? "refusal" : "other";
  }
  if (content.refused) return "refusal";
  return content.calls ? "tool-calls" : "end";
}

export function encodeReply(reply: Reply, { createdSeconds = 0 }: ReplyContext = {}): JsonObject {
  if (reply.native?.wire === WIRE && isJsonObject(reply.native.value)) return reply.native.value;
  const output = reply.blocks.flatMap((block, index) => encodeOutputBlock(block, `${reply.id}_${index}`));
  return encodeResponse({ ...reply, createdSeconds, output });
}

interface Response extends Pick<Reply, "id" | "model" | "stopReason" | "usage"> {
  readonly createdSeconds: number;
  readonly output: readonly JsonObject[];
}

/** Encodes the response object of a reply, also for the end of a stream. */
export function encodeResponse({ id, model, createdSeconds, output, stopReason, usage }: Response): JsonObject {
  const reason = INCOMPLETE[stopReason];
  return {
    ...responseHead(id, model, createdSeconds),
    status: reason === undefined ? "completed" : "incomplete",
    incomplete_details: reason === undefined ? null : { reason },
    output,
    usage: encodeUsage(usage),
  };
}

const INCOMPLETE: Readonly<Partial<Record<StopReason, string>>> = table({
  length: "max_output_tokens",
  "context-exceeded": "max_output_tokens",
  refusal: "content_filter",
});

/** Returns the fields that a response has in every state. */
export function responseHead(id: string, model: string, createdSeconds: number): JsonObject {
  return {
    id,
    object: "response",
    created_at: createdSeconds,
    model,
    error: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: null,
    tool_choice: "auto",
    tools: [],
    top_p: null,
  };
}

/** Encodes a block of a reply as items. Blocks that the format cannot express are dropped. */
export function encodeOutputBlock(block: Block, serial: string): readonly JsonObject[] {
  switch (block.type) {
    case "text":
      return [encodeText(block.text, serial)];
    case "tool-call": {
      const item = encodeItem(block, optionsFor(block));
      return [...signatureItems(block.signature, serial), { id: `fc_${serial}`, ...item, status: "completed" }];
    }
    case "thinking":
    case "redacted-thinking":
      return [{ id: `rs_${serial}`, ...encodeItem(block, optionsFor(block)) }];
    case "compaction":
      return block.vendor === VENDOR ? [{ id: `cmp_${serial}`, ...encodeItem(block, optionsFor(block)) }] : [];
    case "opaque":
      return block.native.wire === WIRE && isJsonObject(block.native.value) ? [block.native.value] : [];
    default:
      return [];
  }
}

/** Encodes a text as a message item. */
export function encodeText(text: string, serial: string): JsonObject {
  const content: JsonValue = [{ type: "output_text", text, annotations: [], logprobs: [] }];
  return { id: `msg_${serial}`, type: "message", status: "completed", role: "assistant", content };
}

/** Encodes Gemini's thought signature of a call as an empty reasoning item before it, because the format has no field for it. */
export function signatureItems(signature: string | undefined, serial: string): readonly JsonObject[] {
  if (signature === undefined) return [];
  const carrier: Block = { type: "thinking", text: "", signature, vendor: "google" };
  return [{ id: `rs_${serial}`, ...encodeItem(carrier, optionsFor(carrier)) }];
}

/** Returns options that treat a called tool as a free-text tool unless the call says otherwise. */
function optionsFor(block: Block): ResponsesEncodeOptions {
  const isFree = block.type === "tool-call" && block.freeText !== false;
  return {
    vendor: VENDOR,
    extras: false,
    freeTextTools: new Set(isFree ? [block.name] : []),
    freeTextCalls: new Set(),
  };
}

/** Decodes usage. The prompt count includes cached tokens. */
export function decodeUsage(value: JsonValue | undefined): Usage {
  const usage = isJsonObject(value) ? value : {};
  const details = usage.input_tokens_details;
  const reasoning = fieldOf(usage.output_tokens_details, "reasoning_tokens");
  return usageFromInclusive(
    defined({
      inputTokens: countOf(usage.input_tokens),
      cacheReadTokens: countOf(fieldOf(details, "cached_tokens")),
      cacheWriteTokens: countOf(fieldOf(details, "cache_write_tokens")),
      outputTokens: countOf(usage.output_tokens),
      reasoningTokens: typeof reasoning === "number" ? countOf(reasoning) : undefined,
    }),
  );
}

export function encodeUsage(usage: Usage): JsonObject {
  const prompt = promptTokens(usage);
  const { cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage;
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
    total_tokens: prompt + outputTokens,
  };
}
