import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Native,
  type StreamEvent,
} from "@longhaul/conversation/advanced";
import { type ReplyContext, type Step, type Stepper, stepEach, type WireEvent } from "../codec/stepper.ts";
import { isBlankInput } from "../content/tool-input.ts";
import { defined, dropNulls, fieldOf, listIn, nonEmptyString, objectIn, optionalString } from "../fields/json.ts";
import { brokenReply, failStream, stepData, stepOrFail, truncatedStream } from "../reply/read-reply.ts";
import { decodeError } from "./error.ts";
import { decodeStopReason, decodeUsage, mergeUsage } from "./reply.ts";
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

export const decodeStream: Stepper<WireEvent, StreamEvent, State> = {
  start: ({ vendor = VENDOR }: ReplyContext = {}) => ({
    vendor,
    open: new Map(),
    started: 0,
    id: "",
    calls: false,
    usage: {},
    phase: "before",
  }),
  step: (state, event) => (state.phase === "after" ? [state, []] : stepData(state, event.data, onEvent)),
  end: (state) => (state.phase === "after" ? [] : stepOrFail(state, false, onEnd)[1]),
};

interface State {
  readonly vendor: string;
  readonly phase: "before" | "during" | "after";
  /** Open blocks by their number on the wire. */
  readonly open: ReadonlyMap<number, OpenBlock>;
  /** Number of started blocks. */
  readonly started: number;
  readonly id: string;
  /** Whether any ended block is a tool call. */
  readonly calls: boolean;
  readonly usage: JsonObject;
  /** The latest `message_delta`, merged with earlier stop reasons. */
  readonly ending?: JsonObject;
}

type Result = Step<State, StreamEvent>;

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
      return onMessageDelta(state, event);
    case "message_stop":
      return onEnd(state, true);
    case "ping":
      return [state, [{ type: "ping" }]];
    case "error":
      return failStream(state, decodeError(200, event));
    default:
      return [state, [{ type: "native", native: { wire: WIRE, value: event } }]];
  }
}

function onMessageStart(state: State, { message }: JsonObject): Result {
  const reply = objectIn(message);
  const id = optionalString(reply.id) ?? "";
  if (state.phase === "during") return onSecondStart(state, id);
  const model = optionalString(reply.model) ?? "";
  const usage = mergeUsage({}, reply.usage);
  const native: Native = { wire: WIRE, value: message ?? {} };
  const start: StreamEvent = { type: "reply-start", id, model, usage: decodeUsage(usage), native };
  const [next, blocks] = onWholeBlocks({ ...state, phase: "during", usage, id }, reply);
  return [next, [start, ...blocks]];
}

/** Ignores a repeated start, which some proxies send. The start of a different message means that two replies were mixed up. */
function onSecondStart(state: State, id: string): Result {
  if (id === state.id || state.started === 0) return [state, []];
  return failStream(state, brokenReply(`message "${id}" starts before "${state.id}" has ended`));
}

/** Decodes the blocks of a reply that is complete at its start, such as a programmatic tool call. */
function onWholeBlocks(state: State, { content, stop_reason, stop_sequence }: JsonObject): Result {
  const [next, events] = stepEach(state, [...listIn(content).entries()], (before, [index, content_block]) =>
    stepEach(before, [onBlockStart, onBlockStop], (after, step) => step(after, { index, content_block })),
  );
  const delta = defined({ stop_reason, stop_sequence });
  return [stop_reason === undefined ? next : { ...next, ending: { type: "message_delta", delta } }, events];
}

/** Keeps the latest delta and the latest stop reason that is not null. */
function onMessageDelta(state: State, event: JsonObject): Result {
  const own = isJsonObject(event.delta) ? event.delta : {};
  const delta = { ...own, ...objectIn(state.ending?.delta), ...dropNulls(own) };
  return [{ ...state, ending: { ...event, delta }, usage: mergeUsage(state.usage, event.usage) }, []];
}

function onBlockStart(state: State, event: JsonObject): Result {
  // Some servers start the next block with the same number instead of ending the first.
  const [before, endings] = onBlockStop(state, event);
  const block = openBlock(before.started, objectIn(event.content_block));
  const next = { ...withOpen(before, event, block), started: before.started + 1 };
  return [next, [...endings, ...startBlock(block, state.vendor)]];
}

function onDelta(state: State, event: JsonObject): Result {
  const [opened, starts] = openIfForgotten(state, event);
  const [next, events] = onOpenDelta(opened, event);
  return [next, [...starts, ...events]];
}

/** Opens a text or thinking block that the server did not start. */
function openIfForgotten(state: State, event: JsonObject): Result {
  if (state.open.has(numberOf(event))) return [state, []];
  const type = fieldOf(event.delta, "type");
  if (type === "text_delta") return onBlockStart(state, { ...event, content_block: { type: "text" } });
  return type === "thinking_delta"
    ? onBlockStart(state, { ...event, content_block: { type: "thinking" } })
    : [state, []];
}

function onOpenDelta(state: State, event: JsonObject): Result {
  const block = state.open.get(numberOf(event));
  if (block === undefined || !isJsonObject(event.delta)) return [state, []];
  const { index } = block;
  switch (event.delta.type) {
    case "text_delta":
      return [state, textDelta(index, event.delta.text)];
    case "thinking_delta":
      return [state, thinkingDelta(index, event.delta.thinking)];
    case "input_json_delta":
      return onJson(state, event, event.delta.partial_json);
    case "signature_delta":
      return [
        withOpen(state, event, { ...block, ...defined({ signature: optionalString(event.delta.signature) }) }),
        [],
      ];
    case "compaction_delta": {
      const { type: _, ...content } = event.delta;
      return [withOpen(state, event, { ...block, start: { ...block.start, ...content } }), []];
    }
    default:
      return [state, [{ type: "native", index, native: { wire: WIRE, value: event } }]];
  }
}

function onJson(state: State, event: JsonObject, json: JsonValue | undefined): Result {
  const block = state.open.get(numberOf(event));
  if (block === undefined || typeof json !== "string" || json === "") return [state, []];
  if (block.kind === "tool-call" && block.json !== "") return [state, [callDelta(block, json)]];
  if (block.kind === "tool-call" && isBlankInput(json)) return [state, []];
  const next = withOpen(state, event, { ...block, json: block.json + json });
  return [next, block.kind === "tool-call" ? [callDelta(block, json)] : []];
}

function onBlockStop(state: State, event: JsonObject): Result {
  const block = state.open.get(numberOf(event));
  if (block === undefined) return [state, []];
  const open = new Map(state.open);
  open.delete(numberOf(event));
  const calls = state.calls || block.kind === "tool-call";
  return [{ ...state, open, calls }, endBlock(block, state.vendor)];
}

/** Ends the reply. Without `message_stop` or a stop reason, the stream is truncated. */
function onEnd(state: State, announced: boolean): Result {
  const { ending, vendor } = state;
  if (state.phase === "before" || (ending === undefined && !announced)) return failStream(state, truncatedStream());
  const stillOpen = [...state.open.values()].flatMap((block) => endBlock(block, vendor));
  const stopSequence = nonEmptyString(fieldOf(ending?.delta, "stop_sequence"));
  const reason = nonEmptyString(fieldOf(ending?.delta, "stop_reason"));
  const end: StreamEvent = defined({
    type: "reply-end",
    stopReason: reason === undefined ? (state.calls ? "tool-calls" : "end") : decodeStopReason(reason),
    stopSequence,
    usage: decodeUsage(state.usage),
    native: ending && { wire: WIRE, value: ending },
  });
  return [{ ...state, phase: "after" }, [...stillOpen, end]];
}

function withOpen(state: State, event: JsonObject, block: OpenBlock): State {
  return { ...state, open: new Map(state.open).set(numberOf(event), block) };
}

function numberOf({ index }: JsonObject): number {
  return typeof index === "number" ? index : 0;
}
