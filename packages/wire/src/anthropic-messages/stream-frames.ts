import { isJsonObject, type JsonObject, NO_USAGE, type StreamEvent } from "@longhaul/conversation";
import type { ReplyContext, WireEvent } from "../codec/stepper.ts";
import { given } from "../fields/given.ts";
import { encodeContextManagement, withRounds } from "./context-management.ts";
import { encodeStopReason } from "./reply.ts";
import { WIRE } from "./rules.ts";
import { encodeUsage } from "./usage.ts";

type Event<T extends StreamEvent["type"]> = Extract<StreamEvent, { type: T }>;

/** The start of a reply. Where the upstream has not counted yet, the prompt is what the gateway estimates. */
export function messageStart({ id, model, usage, native }: Event<"reply-start">, context: ReplyContext): WireEvent {
  const own = native?.wire === WIRE && isJsonObject(native.value) ? native.value : {};
  const known = usage ?? { ...NO_USAGE, inputTokens: context.inputTokens ?? 0 };
  const message = {
    ...own,
    id,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: isJsonObject(own.usage) ? own.usage : encodeUsage(known),
    ...(context.contextEdits !== undefined && { context_management: null }),
  };
  return wireEvent("message_start", { type: "message_start", message });
}

/** The end of a reply, which is where it is told what was cleared from the request. */
export function messageEnd(event: Event<"reply-end">, { contextEdits }: ReplyContext): readonly WireEvent[] {
  const { stopReason, stopSequence, usage, native } = event;
  const own = native?.wire === WIRE && isJsonObject(native.value) ? native.value : {};
  const spelled = {
    ...own,
    type: "message_delta",
    delta: {
      ...(isJsonObject(own.delta) ? own.delta : undefined),
      stop_reason: encodeStopReason(stopReason),
      stop_sequence: stopSequence ?? null,
    },
    usage: withRounds(isJsonObject(own.usage) ? own.usage : encodeUsage(usage), contextEdits),
    ...(contextEdits !== undefined && { context_management: encodeContextManagement(contextEdits) }),
  };
  return [wireEvent("message_delta", spelled), wireEvent("message_stop", { type: "message_stop" })];
}

/** A block that comes whole; a thinking block's signature and an unsigned compaction's text have to come as a delta. */
export function wholeBlock(index: number, block: JsonObject): readonly WireEvent[] {
  if (block.type === "compaction" && typeof block.signature !== "string") return unsignedCompaction(index, block);
  if (block.type !== "thinking") return [blockStart(index, block), blockStop(index)];
  const signature = blockDelta(index, { type: "signature_delta", signature: block.signature ?? "" });
  return [blockStart(index, { ...block, signature: "" }), signature, blockStop(index)];
}

function unsignedCompaction(index: number, block: JsonObject): readonly WireEvent[] {
  const { content = null, encrypted_content, ...rest } = block;
  const delta = blockDelta(index, { type: "compaction_delta", content, ...given({ encrypted_content }) });
  return [blockStart(index, { ...rest, content: null }), delta, blockStop(index)];
}

/** More of a text. Most events of a stream are these, so they are written without building an object. */
export function textDelta(index: number, text: string): WireEvent {
  const delta = `{"type":"text_delta","text":${JSON.stringify(text)}}`;
  return { event: "content_block_delta", data: `{"type":"content_block_delta","index":${index},"delta":${delta}}` };
}

/** The start of a block. */
export function blockStart(index: number, block: JsonObject): WireEvent {
  return wireEvent("content_block_start", { type: "content_block_start", index, content_block: block });
}

/** More of a block. */
export function blockDelta(index: number, delta: JsonObject): WireEvent {
  return wireEvent("content_block_delta", { type: "content_block_delta", index, delta });
}

/** The end of a block. */
export function blockStop(index: number): WireEvent {
  return wireEvent("content_block_stop", { type: "content_block_stop", index });
}

/** The `event:` line is not an ornament: Anthropic's SDK skips events without one. */
export function wireEvent(event: string, value: JsonObject): WireEvent {
  return { event, data: JSON.stringify(value) };
}
