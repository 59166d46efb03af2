import {
  type Block,
  isJsonObject,
  type JsonObject,
  type LonghaulError,
  type StreamEvent,
} from "@longhaul/conversation/advanced";
import { type EventOf, type Step, type Stepper, stepEach, type WireEvent } from "../codec/stepper.ts";
import { parseInput } from "../content/tool-input.ts";
import { defined, listIn } from "../fields/json.ts";
import { truncatedStream } from "../reply/read-reply.ts";
import { encodePart } from "./encode-message.ts";
import { encodeErrorBody } from "./error.ts";
import { encodeStopReason, encodeUsage, isWritable } from "./reply.ts";
import { VENDOR, WIRE } from "./rules.ts";

/** The format sends parts one after the other, so events of a second block wait until the first has ended. */
export const encodeStream: Stepper<StreamEvent, WireEvent, State> = {
  start: () => ({ id: "", model: "", waiting: [], ended: false }),
  step: (state, event) => (state.ended ? [state, []] : onEvent(state, event)),
  end: (state) => (state.ended ? [] : onError(state, truncatedStream())[1]),
};

interface State {
  readonly id: string;
  readonly model: string;
  /** The block being written. */
  readonly current?: OpenBlock;
  /** Events of other blocks that wait for the current block to end. */
  readonly waiting: readonly StreamEvent[];
  readonly ended: boolean;
}

interface OpenBlock {
  readonly index: number;
  readonly thinking?: EventOf<"thinking-start">;
  /** Set for a call, which is written when it is complete. */
  readonly call?: EventOf<"tool-call-start">;
  /** Text or arguments received so far. */
  readonly text: string;
}

type Result = Step<State, WireEvent>;

function onEvent(state: State, event: StreamEvent): Result {
  switch (event.type) {
    case "reply-start":
      return [{ ...state, id: event.id, model: event.model }, []];
    // Google's SDK treats an event without content as an invalid reply.
    case "ping":
      return [state, []];
    case "reply-end":
      return onEnd(state, event);
    case "error":
      return onError(state, event.error);
    case "native":
      return event.index === undefined ? [state, onNative(state, event)] : onBlockEvent(state, event);
    default:
      return onBlockEvent(state, event);
  }
}

type BlockEvent = Exclude<StreamEvent, EventOf<"reply-start" | "reply-end" | "error" | "ping">>;

function onBlockEvent(state: State, event: BlockEvent): Result {
  if (state.current !== undefined && state.current.index !== event.index) {
    return [{ ...state, waiting: [...state.waiting, event] }, []];
  }
  switch (event.type) {
    case "text-delta":
      return [state, [rawChunk(state, `{"text":${JSON.stringify(event.text)}}`)]];
    case "thinking-delta":
      return [addText(state, event.text), [rawChunk(state, `{"text":${JSON.stringify(event.text)},"thought":true}`)]];
    case "tool-call-delta":
      return [addText(state, event.json), []];
    case "text-start":
      return [{ ...state, current: { index: event.index, text: "" } }, []];
    case "thinking-start":
      return [{ ...state, current: { index: event.index, text: "", thinking: event } }, []];
    case "tool-call-start":
      return [{ ...state, current: { index: event.index, text: "", call: event } }, []];
    case "text-end":
    case "thinking-end":
    case "tool-call-end":
      return drain(state, onBlockEnd(state, event));
    case "block":
      return [state, onWhole(state, event.block)];
    case "native":
      return [state, onNativeRemark(state, event)];
    default:
      return event satisfies never;
  }
}

function addText(state: State, piece: string): State {
  const { current } = state;
  return current === undefined ? state : { ...state, current: { ...current, text: current.text + piece } };
}

function onBlockEnd(state: State, event: EventOf<"text-end" | "thinking-end" | "tool-call-end">): readonly WireEvent[] {
  const { current } = state;
  if (current?.call !== undefined) return [chunk(state, callPart(current.call, current.text))];
  if (event.type !== "thinking-end" || event.signature === undefined) return [];
  const { signature } = event;
  const { id, vendor } = { ...current?.thinking, ...event };
  const block: Block = defined({ type: "thinking", text: current?.text ?? "", signature, id, vendor });
  // The text was already sent; a packed signature contains it again.
  return [chunk(state, { ...encodePart(block, AUDIENCE), text: "" })];
}

function callPart({ id, name, signature, freeText, native }: EventOf<"tool-call-start">, json: string): JsonObject {
  const input = freeText === true ? json : parseInput(json);
  return encodePart(defined({ type: "tool-call", id, name, input, signature, native }), AUDIENCE);
}

const AUDIENCE = { vendor: VENDOR, extras: false };

function onWhole(state: State, block: Block): readonly WireEvent[] {
  return isWritable(block) ? [chunk(state, encodePart(block, AUDIENCE))] : [];
}

/** Ends the current block and processes the events that waited for it. */
function drain(state: State, written: readonly WireEvent[]): Result {
  const { current: _, waiting, ...rest } = state;
  const [next, events] = stepEach<State, StreamEvent, WireEvent>({ ...rest, waiting: [] }, waiting, onEvent);
  return [next, [...written, ...events]];
}

function onEnd(state: State, event: EventOf<"reply-end">): Result {
  const [settled, written] = closeAll(state);
  const own = event.native?.wire === WIRE && isJsonObject(event.native.value) ? event.native.value : {};
  const candidate = listIn(own.candidates)[0];
  const last = {
    ...(isJsonObject(candidate) ? candidate : undefined),
    // Google's SDK treats a reply as invalid if any of its events has no part.
    content: { parts: [{ text: "" }], role: "model" },
    finishReason: encodeStopReason(event.stopReason),
    index: 0,
  };
  const usageMetadata = isJsonObject(own.usageMetadata) ? own.usageMetadata : encodeUsage(event.usage);
  const ending = { ...own, candidates: [last], usageMetadata, ...headOf(state) };
  return [{ ...settled, ended: true }, [...written, { data: JSON.stringify(ending) }]];
}

function closeAll(state: State): Result {
  let next = state;
  const events: WireEvent[] = [];
  while (next.current !== undefined) {
    const { call, text } = next.current;
    const [after, written] = drain(next, call === undefined ? [] : [chunk(next, callPart(call, text))]);
    next = after;
    events.push(...written);
  }
  return [next, events];
}

/** Writes the error twice: Google's SDK reads an error event as an empty reply and throws only for text outside events. */
function onError(state: State, error: LonghaulError): Result {
  const data = JSON.stringify(encodeErrorBody(error));
  return [{ ...state, ended: true }, [{ data, bare: data }]];
}

function onNative(state: State, { native }: EventOf<"native">): readonly WireEvent[] {
  if (native.wire !== WIRE || !isJsonObject(native.value)) return [];
  return [{ data: JSON.stringify({ ...native.value, ...headOf(state) }) }];
}

/** Writes native data about a block as a part with empty text. */
function onNativeRemark(state: State, { native }: EventOf<"native">): readonly WireEvent[] {
  if (native.wire !== WIRE || !isJsonObject(native.value)) return [];
  return [chunk(state, { text: "", ...native.value })];
}

function headOf({ id, model }: State): JsonObject {
  return { modelVersion: model, responseId: id };
}

function chunk(state: State, part: JsonObject): WireEvent {
  return rawChunk(state, JSON.stringify(part));
}

function rawChunk({ id, model }: State, part: string): WireEvent {
  const candidate = `{"content":{"parts":[${part}],"role":"model"},"index":0}`;
  return {
    data: `{"candidates":[${candidate}],"modelVersion":${JSON.stringify(model)},"responseId":${JSON.stringify(id)}}`,
  };
}
