import {
  type Block,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LonghaulError,
  NO_USAGE,
  type StreamEvent,
} from "@longhaul/conversation/advanced";
import {
  type EventOf,
  type ReplyContext,
  type Step,
  type Stepper,
  stepEach,
  type WireEvent,
} from "../codec/stepper.ts";
import { tagSignature } from "../content/signature.ts";
import { inputObject } from "../content/tool-input.ts";
import { defined } from "../fields/json.ts";
import { truncatedStream } from "../reply/read-reply.ts";
import { encodeContextManagement } from "./context-management.ts";
import { encodeBlock } from "./encode-message.ts";
import { encodeErrorBody } from "./error.ts";
import { encodeStopReason, encodeUsage, isWritable, openingBlocks, signatureBlocks, withRounds } from "./reply.ts";
import { VENDOR, WIRE } from "./rules.ts";

/** The format sends blocks one after the other, so events of a second block wait until the first has ended. */
export const encodeStream: Stepper<StreamEvent, WireEvent, State> = {
  start: (context: ReplyContext = {}) => ({ context, blocks: 0, waiting: [], ended: false }),
  step: (state, event) => (state.ended ? [state, []] : onEvent(state, event)),
  end: (state) => (state.ended ? [] : onError(state, truncatedStream())[1]),
};

interface State {
  readonly context: ReplyContext;
  /** Number of written blocks. */
  readonly blocks: number;
  /** The block being written. */
  readonly current?: OpenBlock;
  /** Events of other blocks that wait for the current block to end. */
  readonly waiting: readonly StreamEvent[];
  readonly ended: boolean;
}

interface OpenBlock {
  readonly index: number;
  /** Free text of a call received so far. It is sent as a named argument when the call ends. */
  readonly freeText?: string;
  readonly vendor?: string;
}

type Result = Step<State, WireEvent>;

function onEvent(state: State, event: StreamEvent): Result {
  switch (event.type) {
    case "reply-start":
      return onStart(state, event);
    case "ping":
      return [state, [PING]];
    case "reply-end":
      return onEnd(state, event);
    case "error":
      return onError(state, event.error);
    case "native":
      return event.index === undefined
        ? [state, onNative(event.native.wire, event.native.value)]
        : onBlockEvent(state, event);
    default:
      return onBlockEvent(state, event);
  }
}

function onStart(state: State, event: EventOf<"reply-start">): Result {
  const opening = openingBlocks(state.context.contextEdits);
  const written = opening.flatMap((block, index) => wholeBlock(index, block));
  return [{ ...state, blocks: opening.length }, [messageStart(event, state.context), ...written]];
}

const PING = wireEvent("ping", { type: "ping" });

type BlockEvent = Exclude<StreamEvent, EventOf<"reply-start" | "reply-end" | "error" | "ping">>;

function onBlockEvent(state: State, event: BlockEvent): Result {
  if (state.current !== undefined && state.current.index !== event.index) {
    return [{ ...state, waiting: [...state.waiting, event] }, []];
  }
  switch (event.type) {
    case "text-delta":
      return [state, [textDelta(state.blocks - 1, event.text)]];
    case "thinking-delta":
      return [state, [blockDelta(state.blocks - 1, { type: "thinking_delta", thinking: event.text })]];
    case "tool-call-delta":
      return onCallDelta(state, event.json);
    case "text-start":
    case "thinking-start":
    case "tool-call-start":
      return onBlockStart(state, event);
    case "text-end":
    case "thinking-end":
    case "tool-call-end":
      return onBlockEnd(state, event);
    case "block":
      return onWhole(state, event.block);
    case "native":
      return [state, onNativeDelta(state, event)];
    default:
      return event satisfies never;
  }
}

function onBlockStart(state: State, event: EventOf<"text-start" | "thinking-start" | "tool-call-start">): Result {
  const [before, written] = event.type === "tool-call-start" ? writeSignature(state, event.signature) : [state, []];
  const isFree = event.type === "tool-call-start" && event.freeText === true;
  const vendor = event.type === "thinking-start" ? event.vendor : undefined;
  const current: OpenBlock = {
    index: event.index,
    ...(isFree && { freeText: "" }),
    ...(vendor !== undefined && { vendor }),
  };
  const start = blockStart(before.blocks, startBlock(event));
  return [{ ...before, blocks: before.blocks + 1, current }, [...written, start]];
}

function startBlock(event: EventOf<"text-start" | "thinking-start" | "tool-call-start">): JsonObject {
  if (event.type === "text-start") return { type: "text", text: "" };
  if (event.type === "thinking-start") return { type: "thinking", thinking: "", signature: "" };
  const own = event.native?.wire === WIRE && isJsonObject(event.native.value) ? event.native.value : {};
  return { ...own, type: "tool_use", id: event.id, name: event.name, input: {} };
}

function writeSignature(state: State, signature: string | undefined): Result {
  const carriers = signatureBlocks(signature);
  const written = carriers.flatMap((block, offset) => wholeBlock(state.blocks + offset, block));
  return [{ ...state, blocks: state.blocks + carriers.length }, written];
}

function onCallDelta(state: State, json: string): Result {
  const { current } = state;
  if (current?.freeText === undefined) {
    return [state, [blockDelta(state.blocks - 1, { type: "input_json_delta", partial_json: json })]];
  }
  return [{ ...state, current: { ...current, freeText: current.freeText + json } }, []];
}

function onBlockEnd(state: State, event: EventOf<"text-end" | "thinking-end" | "tool-call-end">): Result {
  const { current, blocks } = state;
  if (current === undefined) return [state, []];
  const last = blocks - 1;
  const ending: WireEvent[] = [];
  if (current.freeText !== undefined) {
    const json = JSON.stringify(inputObject(current.freeText));
    ending.push(blockDelta(last, { type: "input_json_delta", partial_json: json }));
  }
  if (event.type === "thinking-end" && event.signature !== undefined) {
    const signature = tagSignature({ ...current, ...event }, VENDOR) ?? "";
    ending.push(blockDelta(last, { type: "signature_delta", signature }));
  }
  return drain(state, [...ending, blockStop(last)]);
}

function onWhole(state: State, block: Block): Result {
  if (!isWritable(block)) return [state, []];
  const written = wholeBlock(state.blocks, encodeBlock(block, { vendor: VENDOR, extras: false }));
  return [{ ...state, blocks: state.blocks + 1 }, written];
}

/** Ends the current block and processes the events that waited for it. */
function drain(state: State, written: readonly WireEvent[]): Result {
  const { current: _, waiting, ...rest } = state;
  const [next, events] = stepEach<State, StreamEvent, WireEvent>({ ...rest, waiting: [] }, waiting, onEvent);
  return [next, [...written, ...events]];
}

function onEnd(state: State, event: EventOf<"reply-end">): Result {
  const [settled, written] = closeAll(state);
  return [{ ...settled, ended: true }, [...written, ...messageEnd(event, state.context)]];
}

function closeAll(state: State): Result {
  let next = state;
  const events: WireEvent[] = [];
  while (next.current !== undefined) {
    const [after, written] = drain(next, [blockStop(next.blocks - 1)]);
    next = after;
    events.push(...written);
  }
  return [next, events];
}

function onError(state: State, error: LonghaulError): Result {
  return [{ ...state, ended: true }, [wireEvent("error", encodeErrorBody(error))]];
}

function onNative(wire: string, value: JsonValue): readonly WireEvent[] {
  return wire === WIRE && isJsonObject(value) && typeof value.type === "string" ? [wireEvent(value.type, value)] : [];
}

function onNativeDelta(state: State, { native }: EventOf<"native">): readonly WireEvent[] {
  if (native.wire !== WIRE || !isJsonObject(native.value)) return [];
  return [wireEvent("content_block_delta", { ...native.value, index: state.blocks - 1 })];
}

/** Encodes the start of a reply. Without usage from the upstream, it reports the gateway's estimate of the prompt. */
function messageStart({ id, model, usage, native }: EventOf<"reply-start">, context: ReplyContext): WireEvent {
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

/** Encodes the end of a reply, including the report on context edits. */
function messageEnd(event: EventOf<"reply-end">, { contextEdits }: ReplyContext): readonly WireEvent[] {
  const { stopReason, stopSequence, usage, native } = event;
  const own = native?.wire === WIRE && isJsonObject(native.value) ? native.value : {};
  const delta = {
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
  return [wireEvent("message_delta", delta), wireEvent("message_stop", { type: "message_stop" })];
}

/** Encodes a complete block. The SDK expects a thinking block's signature and an unsigned compaction's text as deltas. */
export function wholeBlock(index: number, block: JsonObject): readonly WireEvent[] {
  if (block.type === "compaction" && typeof block.signature !== "string") return unsignedCompaction(index, block);
  if (block.type !== "thinking") return [blockStart(index, block), blockStop(index)];
  const signature = blockDelta(index, { type: "signature_delta", signature: block.signature ?? "" });
  return [blockStart(index, { ...block, signature: "" }), signature, blockStop(index)];
}

function unsignedCompaction(index: number, block: JsonObject): readonly WireEvent[] {
  const { content = null, encrypted_content, ...rest } = block;
  const delta = blockDelta(index, { type: "compaction_delta", content, ...defined({ encrypted_content }) });
  return [blockStart(index, { ...rest, content: null }), delta, blockStop(index)];
}

/** Encodes a text delta without building an object, because most events of a stream are text deltas. */
export function textDelta(index: number, text: string): WireEvent {
  const delta = `{"type":"text_delta","text":${JSON.stringify(text)}}`;
  return { event: "content_block_delta", data: `{"type":"content_block_delta","index":${index},"delta":${delta}}` };
}

function blockStart(index: number, block: JsonObject): WireEvent {
  return wireEvent("content_block_start", { type: "content_block_start", index, content_block: block });
}

export function blockDelta(index: number, delta: JsonObject): WireEvent {
  return wireEvent("content_block_delta", { type: "content_block_delta", index, delta });
}

function blockStop(index: number): WireEvent {
  return wireEvent("content_block_stop", { type: "content_block_stop", index });
}

/** Creates an event. Anthropic's SDK skips events without an `event:` line. */
function wireEvent(event: string, value: JsonObject): WireEvent {
  return { event, data: JSON.stringify(value) };
}
