import {
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
import { brokenOff, parseData, readingStep, unreadable } from "../read-reply.ts";
import { decodeError } from "./error.ts";
import { decodeStopReason } from "./reply.ts";
import { VENDOR, WIRE } from "./rules.ts";
import {
  callDelta,
  endBlock,
  type OpenBlock,
  openBlock,
  startBlock,
  textDelta,
  thinkingDelta,
} from "./stream-blocks.ts";
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
  end: (state) => (state.phase === "after" ? [] : onBreak(state)[1]),
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

type Result = Step<State, StreamEvent>;

function onData(state: State, data: string): Result {
  const event = parseData(data);
  if (event === undefined) return fail(state, unreadable(data));
  return readingStep(
    () => onEvent(state, event),
    (error) => fail(state, error),
  );
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
  const block = openBlock(state.started, start);
  const next = { ...withOpen(state, event.index, block), started: state.started + 1 };
  return [next, startBlock(block, state.vendor)];
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

function onBlockStop(state: State, event: JsonObject): Result {
  const block = typeof event.index === "number" ? state.open.get(event.index) : undefined;
  if (block === undefined) return [state, []];
  const open = new Map(state.open);
  open.delete(Number(event.index));
  return [{ ...state, open }, endBlock(block, state.vendor)];
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

/** The stream ended: with the reply, if it was said why. */
function onBreak(state: State): Result {
  return readingStep(
    () => onEnd(state),
    (error) => fail(state, error),
  );
}

function fail(state: State, error: LonghaulError): Result {
  return [{ ...state, phase: "after" }, [{ type: "error", error }]];
}

function withOpen(state: State, wireIndex: JsonValue | undefined, block: OpenBlock): State {
  return { ...state, open: new Map(state.open).set(Number(wireIndex), block) };
}
