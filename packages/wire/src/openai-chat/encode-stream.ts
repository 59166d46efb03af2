import type { Block, JsonObject, LonghaulError, StreamEvent } from "@longhaul/conversation/advanced";
import type { EventOf, ReplyContext, Step, Stepper, WireEvent } from "../codec/stepper.ts";
import { defined } from "../fields/json.ts";
import { truncatedStream } from "../reply/read-reply.ts";
import { encodeErrorBody } from "./error.ts";
import { encodeDetail, formatOf } from "./reasoning-details.ts";
import { encodeStopReason, encodeUsage } from "./reply.ts";

export const encodeStream: Stepper<StreamEvent, WireEvent, State> = {
  start: (context: ReplyContext = {}) => ({
    context,
    head: headOf("", "", context),
    calls: new Map(),
    thoughts: new Map(),
    ended: false,
  }),
  step: (state, event) => (state.ended ? [state, []] : onEvent(state, event)),
  end: (state) => (state.ended ? [] : onError(state, truncatedStream())[1]),
};

interface State {
  readonly context: ReplyContext;
  /** The beginning of every chunk. */
  readonly head: string;
  /** Tool calls by block. */
  readonly calls: ReadonlyMap<number, { readonly number: number; readonly freeText: boolean }>;
  /** Thinking blocks by block. */
  readonly thoughts: ReadonlyMap<number, Thought>;
  readonly ended: boolean;
}

interface Thought {
  readonly number: number;
  readonly vendor?: string;
  /** Text received so far. */
  readonly text: string;
}

type Result = Step<State, WireEvent>;

function onEvent(state: State, event: StreamEvent): Result {
  switch (event.type) {
    case "text-delta":
      return [state, [rawChunk(state, `{"content":${JSON.stringify(event.text)}}`)]];
    case "thinking-delta":
      return onThinkingDelta(state, event);
    case "tool-call-delta":
      return [state, onCallDelta(state, event)];
    case "reply-start":
      return onStart(state, event);
    case "thinking-start":
      return onThinkingStart(state, event);
    case "thinking-end":
      return [state, onThinkingEnd(state, event)];
    case "tool-call-start":
      return onCallStart(state, event);
    case "block":
      return onWhole(state, event.block);
    case "reply-end":
      return onEnd(state, event);
    case "error":
      return onError(state, event.error);
    case "text-start":
    case "text-end":
    case "tool-call-end":
    case "native":
    case "ping":
      return [state, []];
    default:
      return event satisfies never;
  }
}

function headOf(id: string, model: string, { createdSeconds = 0 }: ReplyContext): string {
  const named = `"id":${JSON.stringify(id)},"object":"chat.completion.chunk","created":${createdSeconds}`;
  return `{${named},"model":${JSON.stringify(model)},`;
}

function onStart(state: State, { id, model }: EventOf<"reply-start">): Result {
  const next = { ...state, head: headOf(id, model, state.context) };
  return [next, [chunk(next, { role: "assistant", content: "" })]];
}

/** Announces the vendor of the reasoning, if known. */
function onThinkingStart(state: State, { index, id, vendor }: EventOf<"thinking-start">): Result {
  const number = state.thoughts.size;
  const thought = { number, text: "", ...defined({ vendor }) };
  const detail = { type: "reasoning.text", text: "", ...defined({ id, format: formatOf(vendor) }), index: number };
  const next = { ...state, thoughts: new Map(state.thoughts).set(index, thought) };
  return [next, vendor === undefined ? [] : [chunk(state, { reasoning_details: [detail] })]];
}

function onThinkingDelta(state: State, { index, text }: EventOf<"thinking-delta">): Result {
  const thought = state.thoughts.get(index);
  const written = rawChunk(state, `{"reasoning_content":${JSON.stringify(text)}}`);
  if (thought === undefined) return [state, [written]];
  const thoughts = new Map(state.thoughts).set(index, { ...thought, text: thought.text + text });
  return [{ ...state, thoughts }, [written]];
}

/**
 * Sends a signature in `reasoning_details`, from where clients send it back. It carries the whole signed text, because OpenAI's SDK keeps
 * only the last piece of an unknown field.
 */
function onThinkingEnd(state: State, { index, signature, vendor }: EventOf<"thinking-end">): readonly WireEvent[] {
  const thought = state.thoughts.get(index);
  if (signature === undefined || thought === undefined) return [];
  const { number, text } = thought;
  const format = formatOf(vendor ?? thought.vendor);
  const detail = { type: "reasoning.text", text, signature, ...defined({ format }), index: number };
  return [chunk(state, { reasoning_details: [detail] })];
}

function onCallStart(state: State, { index, id, name, signature, freeText }: EventOf<"tool-call-start">): Result {
  const call = { number: state.calls.size, freeText: freeText === true };
  const extra = signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };
  const start = call.freeText
    ? { index: call.number, id, type: "custom", custom: { name, input: "" } }
    : { index: call.number, id, type: "function", function: { name, arguments: "" }, ...extra };
  return [{ ...state, calls: new Map(state.calls).set(index, call) }, [chunk(state, { tool_calls: [start] })]];
}

function onCallDelta(state: State, { index, json }: EventOf<"tool-call-delta">): readonly WireEvent[] {
  const call = state.calls.get(index);
  if (call === undefined) return [];
  const piece = call.freeText ? { custom: { input: json } } : { function: { arguments: json } };
  return [chunk(state, { tool_calls: [{ index: call.number, ...piece }] })];
}

function onWhole(state: State, block: Block): Result {
  if (block.type !== "redacted-thinking") return [state, []];
  const number = state.thoughts.size;
  const detail = encodeDetail(block, number);
  const thoughts = new Map(state.thoughts).set(-1 - number, { number, text: "" });
  return [{ ...state, thoughts }, [chunk(state, { reasoning_details: [detail] })]];
}

function onEnd(state: State, { stopReason, usage }: EventOf<"reply-end">): Result {
  const finish = `"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"${encodeStopReason(stopReason)}"}]`;
  const spent = `"choices":[],"usage":${JSON.stringify(encodeUsage(usage))}`;
  const usageChunks = state.context.streamUsage === false ? [] : [{ data: `${state.head}${spent}}` }];
  return [{ ...state, ended: true }, [{ data: `${state.head}${finish}}` }, ...usageChunks, { data: "[DONE]" }]];
}

function onError(state: State, error: LonghaulError): Result {
  return [{ ...state, ended: true }, [{ data: JSON.stringify(encodeErrorBody(error)) }]];
}

function chunk(state: State, delta: JsonObject): WireEvent {
  return rawChunk(state, JSON.stringify(delta));
}

function rawChunk({ head }: State, delta: string): WireEvent {
  return { data: `${head}"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":null}]}` };
}
