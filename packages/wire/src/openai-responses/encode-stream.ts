import { isJsonObject, type JsonObject, type LonghaulError, type StreamEvent } from "@longhaul/conversation/advanced";
import {
  type EventOf,
  type ReplyContext,
  type Step,
  type Stepper,
  stepEach,
  type WireEvent,
} from "../codec/stepper.ts";
import type { Signed } from "../content/signature.ts";
import { defined } from "../fields/json.ts";
import { truncatedStream } from "../reply/read-reply.ts";
import { encodeErrorObject } from "./error.ts";
import { encodeOutputBlock, encodeResponse, responseHead, signatureItems } from "./reply.ts";
import { WIRE } from "./rules.ts";
import { endItem, itemDelta, type OpenItem, startItem } from "./stream-items.ts";

export const encodeStream: Stepper<StreamEvent, WireEvent, State> = {
  start: ({ createdSeconds = 0 }: ReplyContext = {}) => {
    return { createdSeconds, id: "", model: "", sequence: 0, items: 0, open: new Map(), output: [], ended: false };
  },
  step: (state, event) => (state.ended ? [state, []] : onEvent(state, event)),
  end: (state) => (state.ended ? [] : onError(state, truncatedStream())[1]),
};

interface State {
  readonly createdSeconds: number;
  readonly id: string;
  readonly model: string;
  /** Sequence number of the next event. */
  readonly sequence: number;
  /** Number of started items. */
  readonly items: number;
  readonly open: ReadonlyMap<number, OpenItem>;
  /** Ended items by output index. */
  readonly output: readonly (JsonObject | undefined)[];
  readonly ended: boolean;
}

type Result = Step<State, WireEvent>;

function onEvent(state: State, event: StreamEvent): Result {
  switch (event.type) {
    case "text-delta":
    case "thinking-delta":
      return onDelta(state, event.index, event.text);
    case "tool-call-delta":
      return onDelta(state, event.index, event.json);
    case "reply-start":
      return onStart(state, event);
    case "text-start":
      return onItemStart(state, event.index, { kind: "text" });
    case "thinking-start":
      return onItemStart(state, event.index, { kind: "thinking", ...defined({ id: event.id, vendor: event.vendor }) });
    case "tool-call-start":
      return onCallStart(state, event);
    case "text-end":
    case "tool-call-end":
    case "thinking-end":
      return onItemEnd(state, event);
    case "block":
      return stepEach(state, encodeOutputBlock(event.block, `${state.id}_${state.items}`), addWhole);
    case "native":
      return onNative(state, event);
    case "reply-end":
      return onEnd(state, event);
    case "error":
      return onError(state, event.error);
    case "ping":
      return [state, []];
    default:
      return event satisfies never;
  }
}

function onStart(state: State, { id, model }: EventOf<"reply-start">): Result {
  const next = { ...state, id, model };
  const response = { ...responseHead(id, model, state.createdSeconds), status: "in_progress", output: [] };
  return emit(next, [
    { type: "response.created", response },
    { type: "response.in_progress", response },
  ]);
}

function onItemStart(state: State, index: number, opening: Omit<OpenItem, "serial" | "place" | "text">): Result {
  const place = state.items;
  const item: OpenItem = { ...opening, serial: `${state.id}_${place}`, place, text: "" };
  const next = { ...state, items: place + 1, open: new Map(state.open).set(index, item) };
  return emit(next, startItem(item));
}

function onCallStart(state: State, event: EventOf<"tool-call-start">): Result {
  const { id, name, freeText, signature, index } = event;
  const carriers = signatureItems(signature, `${state.id}_${state.items}`);
  const [before, written] = stepEach(state, carriers, addWhole);
  const kind = freeText === true ? "custom" : "function";
  const [after, starts] = onItemStart(before, index, { kind, callId: id, name });
  return [after, [...written, ...starts]];
}

function onDelta(state: State, index: number, text: string): Result {
  const item = state.open.get(index);
  if (item === undefined || text === "") return [state, []];
  const { events, data } = itemDelta(item, text);
  const open = new Map(state.open).set(index, { ...item, text: item.text + text });
  const [next, before] = emit(state, events);
  const delta = { event: data.type, data: `{"type":"${data.type}","sequence_number":${next.sequence},${data.fields}}` };
  return [{ ...next, open, sequence: next.sequence + 1 }, [...before, delta]];
}

function onItemEnd(state: State, ending: { readonly index: number } & Signed): Result {
  const { index, ...signed } = ending;
  const item = state.open.get(index);
  if (item === undefined) return [state, []];
  const open = new Map(state.open);
  open.delete(index);
  const { events, whole } = endItem(item, signed);
  return emit({ ...state, open, output: put(state.output, item.place, whole) }, events);
}

function addWhole(state: State, item: JsonObject): Result {
  const output_index = state.items;
  return emit({ ...state, items: output_index + 1, output: put(state.output, output_index, item) }, [
    { type: "response.output_item.added", output_index, item },
    { type: "response.output_item.done", output_index, item },
  ]);
}

function onNative(state: State, { native }: EventOf<"native">): Result {
  if (native.wire !== WIRE || !isJsonObject(native.value)) return [state, []];
  return emit(state, [native.value]);
}

function onEnd(state: State, { stopReason, usage }: EventOf<"reply-end">): Result {
  const [closed, ends] = stepEach(state, [...state.open.keys()], (next, index) => onItemEnd(next, { index }));
  const output = closed.output.filter((item) => item !== undefined);
  const response = encodeResponse({ ...closed, output, stopReason, usage });
  const [ended, last] = emit(closed, [{ type: `response.${response.status}`, response }]);
  return [{ ...ended, ended: true }, [...ends, ...last]];
}

/** Sends two events, because clients look for either one. */
function onError(state: State, error: LonghaulError): Result {
  const { message, code, param } = encodeErrorObject(error);
  const head = responseHead(state.id, state.model, state.createdSeconds);
  const failed = { ...head, status: "failed", error: defined({ code, message }), output: [] };
  const [next, events] = emit(state, [
    defined({ type: "error", code, message, param }),
    { type: "response.failed", response: failed },
  ]);
  return [{ ...next, ended: true }, events];
}

/** Encodes events with their sequence numbers. */
function emit(state: State, events: readonly JsonObject[]): Result {
  const written = events.map((event, offset): WireEvent => {
    const { type } = event;
    return { event: `${type}`, data: JSON.stringify({ ...event, sequence_number: state.sequence + offset }) };
  });
  return [events.length === 0 ? state : { ...state, sequence: state.sequence + events.length }, written];
}

function put(output: State["output"], place: number, item: JsonObject): State["output"] {
  const next = [...output];
  next[place] = item;
  return next;
}
