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
import { countOf, defined, fieldOf, optionalString, readList } from "../fields/json.ts";
import { readReplyObject, withReplyErrors } from "../reply/read-reply.ts";
import { decodeOutput, isRefusal } from "./decode-message.ts";
import { encodeItem, type ResponsesEncodeOptions } from "./encode-message.ts";
import { decodeError } from "./error.ts";
import { VENDOR, WIRE } from "./rules.ts";

/** Reads an upstream's whole reply. */
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

function hasCalls(blocks: readonly Block[]): boolean {
  return blocks.some(({ type }) => type === "tool-call");
}

/** Reads why the model stopped, from the state of the response and what it says. */
export function decodeStopReason(response: JsonObject, said: { refused: boolean; calls: boolean }): StopReason {
  if (response.status === "incomplete") {
    const reason = fieldOf(response.incomplete_details, "reason");
    if (reason === "max_output_tokens") return "length";
    return reason === "content_filter" ? "refusal" : "other";
  }
  if (said.refused) return "refusal";
  return said.calls ? "tool-calls" : "end";
}

/** Writes a whole reply for a client. */
export function encodeReply(reply: Reply, { createdSeconds = 0 }: ReplyContext = {}): JsonObject {
  if (reply.native?.wire === WIRE && isJsonObject(reply.native.value)) return reply.native.value;
  const output = reply.blocks.flatMap((block, index) => encodeOutputBlock(block, `${reply.id}_${index}`));
  return encodeResponse({ ...reply, createdSeconds, output });
}

interface Response extends Pick<Reply, "id" | "model" | "stopReason" | "usage"> {
  readonly createdSeconds: number;
  readonly output: readonly JsonObject[];
}

/** Writes the object that a reply is, at the end of a stream too. */
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

/** What every state of a response has. */
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

/** Writes one block of a reply as the items that say it; what the format has no words for is left out. */
export function encodeOutputBlock(block: Block, serial: string): readonly JsonObject[] {
  switch (block.type) {
    case "text":
      return [encodeText(block.text, serial)];
    case "tool-call": {
      const item = encodeItem(block, audienceFor(block));
      return [...signatureItems(block.signature, serial), { id: `fc_${serial}`, ...item, status: "completed" }];
    }
    case "thinking":
    case "redacted-thinking":
      return [{ id: `rs_${serial}`, ...encodeItem(block, audienceFor(block)) }];
    case "compaction":
      return block.vendor === VENDOR ? [{ id: `cmp_${serial}`, ...encodeItem(block, audienceFor(block)) }] : [];
    case "opaque":
      return block.native.wire === WIRE && isJsonObject(block.native.value) ? [block.native.value] : [];
    default:
      return [];
  }
}

/** A text is a message of its own. */
export function encodeText(text: string, serial: string): JsonObject {
  const content: JsonValue = [{ type: "output_text", text, annotations: [], logprobs: [] }];
  return { id: `msg_${serial}`, type: "message", status: "completed", role: "assistant", content };
}

/** Gemini's proof of the reasoning behind a call has no place in this format: it travels as reasoning that stands before the call. */
export function signatureItems(signature: string | undefined, serial: string): readonly JsonObject[] {
  if (signature === undefined) return [];
  const proof: Block = { type: "thinking", text: "", signature, vendor: "google" };
  return [{ id: `rs_${serial}`, ...encodeItem(proof, audienceFor(proof)) }];
}

/** A call whose input is a text by design was made to a tool that takes one. */
function audienceFor(block: Block): ResponsesEncodeOptions {
  const isFree = block.type === "tool-call" && block.freeText !== false;
  return {
    vendor: VENDOR,
    extras: false,
    freeTextTools: new Set(isFree ? [block.name] : []),
    freeTextCalls: new Set(),
  };
}

/** Reads usage. The prompt's figure contains what was cached. */
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

/** Writes usage. */
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
