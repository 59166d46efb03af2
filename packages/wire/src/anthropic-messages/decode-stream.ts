import {
  type Block,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LonghaulError,
  type Native,
  type StreamEvent,
} from "@longhaul/conversation";
import type { ReplyContext, Step, Stepper, WireEvent } from "../codec.ts";
import { given } from "../given.ts";
import { fieldOf, optionalString } from "../read.ts";
import { brokenOff, parseData, readingReply, unreadable } from "../read-reply.ts";
import { readSignature, type Signed } from "../signature.ts";
import { parseInput } from "../tool-input.ts";
import { decodeBlock } from "./decode-message.ts";
import { decodeError } from "./error.ts";
import { decodeStopReason } from "./reply.ts";
import { VENDOR, WIRE } from "./rules.ts";
import { decodeUsage, mergeUsage } from "./usage.ts";

/** Reads an upstream's stream. */
export const decodeStream: Stepper<WireEvent, StreamEvent, State> = {
  start: ({ vendor = VENDOR }: ReplyContext = {}) => ({
    vendor,
    open: new Map(),
    started: 0,
    usage: {},
    phase: "before",
  }),
  step: (state, event) => (state.phase === "after" ? [state, []] : onData(state, event.data)),
  end: (state) => (state.phase === "after" ? [] : onEnd(state)[1]),
};

interface State {
  readonly vendor: string;
  readonly phase: "before" | "during" | "after";
  /** The blocks that have started and not ended, by the wire's number. */
  readonly open: ReadonlyMap<number, OpenBlock>;
  /** How many blocks have started. */
  readonly started: number;
  readonly usage: JsonObject;
  /** The latest `message_delta`, which says why the reply ends. */
  readonly ending?: JsonObject;
}

interface OpenBlock {
  readonly index: number;
  readonly kind: "text" | "thinking" | "tool-call" | "whole";
  /** The block as it started. */
  readonly start: JsonObject;
  /** The arguments so far; of a tool call only the first piece, which tells that there were any. */
  readonly json: string;
  readonly signature?: string;
}

type Result = Step<State, StreamEvent>;

function onData(state: State, data: string): Result {
  const event = parseData(data);
  return event === undefined ? fail(state, unreadable(data)) : onEvent(state, event);
}

function onEvent(state: State, event: JsonObject): Result {
  switch (event.type) {
    case "content_block_delta":
      return onDelta(state, event);
    case "content_block_start":
      return onBlockStart(state, event);
    case "content_block_stop":
      return onBlockStop(state, event);
    case "message_start":
      return onMessageStart(state, event);
    case "message_delta":
      return [{ ...state, ending: event, usage: mergeUsage(state.usage, event.usage) }, []];
    case "message_stop":
      return onEnd(state);
    case "ping":
      return [state, [{ type: "ping" }]];
    case "error":
      return fail(state, decodeError(200, event));
    default:
      return [state, [{ type: "native", native: { wire: WIRE, value: event } }]];
  }
}

function onMessageStart(state: State, { message }: JsonObject): Result {
  const reply = isJsonObject(message) ? message : {};
  const id = optionalString(reply.id) ?? "";
  const model = optionalString(reply.model) ?? "";
  const usage = mergeUsage({}, reply.usage);
  const native: Native = { wire: WIRE, value: reply };
  const start: StreamEvent = { type: "reply-start", id, model, usage: decodeUsage(usage), native };
  return [{ ...state, phase: "during", usage }, [start]];
}

function onBlockStart(state: State, event: JsonObject): Result {
  const start = isJsonObject(event.content_block) ? event.content_block : {};
  const index = state.started;
  const block: OpenBlock = { index, kind: kindOf(start.type), start, json: "" };
  const next = { ...withOpen(state, event.index, block), started: index + 1 };
  switch (block.kind) {
    case "text":
      return [next, [{ type: "text-start", index }, ...textDelta(index, start.text)]];
    case "thinking":
      return [next, [{ type: "thinking-start", index, vendor: state.vendor }, ...thinkingDelta(index, start.thinking)]];
    case "tool-call":
      return [next, [callStart(index, start)]];
    case "whole":
      return [next, []];
    default:
      return block.kind satisfies never;
  }
}

function kindOf(type: JsonValue | undefined): OpenBlock["kind"] {
  if (type === "text" || type === "thinking") return type;
  return type === "tool_use" ? "tool-call" : "whole";
}

function callStart(index: number, start: JsonObject): StreamEvent {
  const id = optionalString(start.id) ?? "";
  const name = optionalString(start.name) ?? "";
  return { type: "tool-call-start", index, id, name, native: { wire: WIRE, value: start } };
}

function textDelta(index: number, text: JsonValue | undefined): readonly StreamEvent[] {
  return typeof text === "string" && text !== "" ? [{ type: "text-delta", index, text }] : [];
}

function thinkingDelta(index: number, text: JsonValue | undefined): readonly StreamEvent[] {
  return typeof text === "string" && text !== "" ? [{ type: "thinking-delta", index, text }] : [];
}

function onDelta(state: State, event: JsonObject): Result {
  const block = typeof event.index === "number" ? state.open.get(event.index) : undefined;
  if (block === undefined || !isJsonObject(event.delta)) return [state, []];
  const { index } = block;
  switch (event.delta.type) {
    case "text_delta":
      return [state, textDelta(index, event.delta.text)];
    case "thinking_delta":
      return [state, thinkingDelta(index, event.delta.thinking)];
    case "input_json_delta":
      return onJson(state, event.index, event.delta.partial_json);
    case "signature_delta":
      return [
        withOpen(state, event.index, { ...block, ...given({ signature: optionalString(event.delta.signature) }) }),
        [],
      ];
    case "compaction_delta": {
      const { type: _, ...content } = event.delta;
      return [withOpen(state, event.index, { ...block, start: { ...block.start, ...content } }), []];
    }
    default:
      return [state, [{ type: "native", index, native: { wire: WIRE, value: event } }]];
  }
}

function onJson(state: State, wireIndex: JsonValue | undefined, json: JsonValue | undefined): Result {
  const block = typeof wireIndex === "number" ? state.open.get(wireIndex) : undefined;
  if (block === undefined || typeof json !== "string" || json === "") return [state, []];
  if (block.kind === "tool-call" && block.json !== "") return [state, [callDelta(block, json)]];
  const next = withOpen(state, wireIndex, { ...block, json: block.json + json });
  return [next, block.kind === "tool-call" ? [callDelta(block, json)] : []];
}

function callDelta({ index }: OpenBlock, json: string): StreamEvent {
  return { type: "tool-call-delta", index, json };
}

function onBlockStop(state: State, event: JsonObject): Result {
  const block = typeof event.index === "number" ? state.open.get(event.index) : undefined;
  if (block === undefined) return [state, []];
  const open = new Map(state.open);
  open.delete(Number(event.index));
  return [{ ...state, open }, endBlock(block, state.vendor)];
}

function endBlock(block: OpenBlock, vendor: string): readonly StreamEvent[] {
  const { index, kind, signature, start, json } = block;
  switch (kind) {
    case "text":
      return [{ type: "text-end", index }];
    case "thinking":
      return [{ type: "thinking-end", index, ...proofOf(signature ?? optionalString(start.signature), vendor) }];
    case "tool-call":
      return [...wholeInput(block), { type: "tool-call-end", index }];
    case "whole": {
      const value = json === "" ? start : { ...start, input: parseInput(json) };
      const whole: Block = readingReply(() => decodeBlock(value, "content_block", vendor));
      return [{ type: "block", index, block: whole }];
    }
    default:
      return kind satisfies never;
  }
}

/** Who made a signature was said at the start, unless the signature knows better. */
function proofOf(text: string | undefined, vendor: string): Signed {
  const signed = readSignature(text, vendor);
  return signed.vendor === vendor ? given({ signature: signed.signature }) : signed;
}

/** Some servers give the arguments at the start and no deltas. */
function wholeInput({ index, start, json }: OpenBlock): readonly StreamEvent[] {
  const isGiven = json === "" && isJsonObject(start.input) && Object.keys(start.input).length > 0;
  return isGiven ? [{ type: "tool-call-delta", index, json: JSON.stringify(start.input) }] : [];
}

/** The end of the reply; one that nobody announced is a broken stream. */
function onEnd(state: State): Result {
  if (state.phase === "before" || state.ending === undefined) {
    return fail(state, brokenOff());
  }
  const delta = state.ending.delta;
  const stillOpen = [...state.open.values()].flatMap((block) => endBlock(block, state.vendor));
  const end: StreamEvent = given({
    type: "reply-end",
    stopReason: decodeStopReason(fieldOf(delta, "stop_reason")),
    stopSequence: optionalString(fieldOf(delta, "stop_sequence")),
    usage: decodeUsage(state.usage),
    native: { wire: WIRE, value: state.ending },
  });
  return [{ ...state, phase: "after" }, [...stillOpen, end]];
}

function fail(state: State, error: LonghaulError): Result {
  return [{ ...state, phase: "after" }, [{ type: "error", error }]];
}

function withOpen(state: State, wireIndex: JsonValue | undefined, block: OpenBlock): State {
  return { ...state, open: new Map(state.open).set(Number(wireIndex), block) };
}
