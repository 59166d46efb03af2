import {
  type Block,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LonghaulError,
  type StreamEvent,
} from "@longhaul/conversation";
import type { ReplyContext, Step, Stepper, WireEvent } from "../codec.ts";
import { given } from "../given.ts";
import { optionalString } from "../read.ts";
import { brokenOff, parseData, unreadable } from "../read-reply.ts";
import { decodeError } from "./error.ts";
import { decodeDetail, joinDetails, vendorOfDetail } from "./reasoning-details.ts";
import { decodeStopReason } from "./reply.ts";
import { WIRE } from "./rules.ts";
import { type Call, decodeCallDeltas, endCalls } from "./stream-calls.ts";
import { decodeUsage } from "./usage.ts";

/** Reads an upstream's stream. */
export const decodeStream: Stepper<WireEvent, StreamEvent, State> = {
  start: ({ vendor }: ReplyContext = {}) => given({ vendor, phase: "before", started: 0, calls: [], refused: false }),
  step: (state, event) => (state.phase === "after" ? [state, []] : onData(state, event.data)),
  end: (state) => (state.phase === "after" ? [] : onEnd(state, false)[1]),
};

interface State {
  readonly vendor?: string;
  readonly phase: "before" | "during" | "after";
  /** How many blocks have started. */
  readonly started: number;
  /** The text or the thinking that is open. */
  readonly open?: OpenBlock;
  /** All calls so far. Nothing says that one has ended but the end of the reply. */
  readonly calls: readonly Call[];
  readonly usage?: JsonObject;
  readonly finish?: string;
  readonly refused: boolean;
}

interface OpenBlock {
  readonly index: number;
  readonly kind: "text" | "thinking";
  readonly signature?: string;
  /** OpenRouter's entry for the piece of reasoning, as far as it has come. */
  readonly detail?: JsonObject;
  /** Whether its text comes in a plain field; a detail of it then only repeats what was said. */
  readonly plain?: boolean;
}

type Result = Step<State, StreamEvent>;

function onData(state: State, data: string): Result {
  if (data === "[DONE]") return onEnd(state, true);
  const chunk = parseData(data);
  return chunk === undefined ? fail(state, unreadable(data)) : onChunk(state, chunk);
}

function onChunk(state: State, chunk: JsonObject): Result {
  if (isJsonObject(chunk.error)) return fail(state, decodeError(200, chunk));
  const isNew = state.phase === "before" || isJsonObject(chunk.usage);
  const before: State = isNew ? { ...state, ...usageIn(chunk), phase: "during" } : state;
  const start = state.phase === "before" ? [startOf(chunk)] : [];
  const choice = chunk.choices !== undefined && isJsonArray(chunk.choices) ? chunk.choices[0] : undefined;
  if (!isJsonObject(choice)) return [before, start];
  const delta = isJsonObject(choice.delta) ? choice.delta : {};
  const [after, events] = onDelta(before, delta);
  const finish = optionalString(choice.finish_reason);
  return [finish === undefined ? after : { ...after, finish }, [...start, ...events]];
}

function usageIn({ usage }: JsonObject): Pick<State, "usage"> {
  return isJsonObject(usage) ? { usage } : {};
}

function startOf(chunk: JsonObject): StreamEvent {
  return { type: "reply-start", id: optionalString(chunk.id) ?? "", model: optionalString(chunk.model) ?? "" };
}

function onDelta(state: State, delta: JsonObject): Result {
  const [thought, thoughts] = onReasoning(state, delta);
  const [said, words] = onText(thought, delta.content);
  const [refused, refusals] = onRefusal(said, delta.refusal);
  if (delta.tool_calls === undefined && delta.function_call === undefined) {
    return [refused, [...thoughts, ...words, ...refusals]];
  }
  const [closed, endings] = closeOpen(refused);
  const { calls, started, events } = decodeCallDeltas(closed.calls, closed.started, delta);
  return [{ ...closed, calls, started }, [...thoughts, ...words, ...refusals, ...endings, ...events]];
}

function onText(state: State, text: JsonValue | undefined): Result {
  if (typeof text !== "string" || text === "") return [state, []];
  const [next, events] = openBlock(state, { kind: "text" });
  return [next, [...events, { type: "text-delta", index: next.open?.index ?? 0, text }]];
}

function onRefusal(state: State, refusal: JsonValue | undefined): Result {
  if (typeof refusal !== "string" || refusal === "") return [state, []];
  return onText({ ...state, refused: true }, refusal);
}

function onReasoning(state: State, delta: JsonObject): Result {
  const { reasoning_details: details } = delta;
  if (details === undefined || !isJsonArray(details) || details.length === 0) {
    return onPlainThinking(state, optionalString(delta.reasoning_content) ?? optionalString(delta.reasoning));
  }
  let next = state;
  const events: StreamEvent[] = [];
  for (const detail of details) {
    const [after, more] = isJsonObject(detail) ? onDetail(next, detail) : [next, []];
    next = after;
    events.push(...more);
  }
  return [next, events];
}

function onDetail(state: State, detail: JsonObject): Result {
  if (detail.type === "reasoning.encrypted") {
    const [closed, endings] = closeOpen(state);
    const blocks: readonly Block[] = decodeDetail(detail, state.vendor);
    const events = blocks.map(
      (block, offset): StreamEvent => ({ type: "block", index: closed.started + offset, block }),
    );
    return [{ ...closed, started: closed.started + blocks.length }, [...endings, ...events]];
  }
  return onThinking(state, optionalString(detail.text) ?? optionalString(detail.summary) ?? "", detail);
}

function onPlainThinking(state: State, text: string | undefined): Result {
  if (text === undefined || text === "") return [state, []];
  const [next, events] = openBlock(state, { kind: "thinking", ...given({ vendor: state.vendor }) });
  const { open } = next;
  if (open === undefined) return [next, events];
  const said: StreamEvent = { type: "thinking-delta", index: open.index, text };
  return [open.plain === true ? next : { ...next, open: { ...open, plain: true } }, [...events, said]];
}

function onThinking(state: State, text: string, detail: JsonObject): Result {
  const signature = optionalString(detail.signature);
  if (text === "" && signature === undefined && detail.format === undefined) return [state, []];
  const id = optionalString(detail.id);
  const vendor = vendorOfDetail(detail, state.vendor);
  const [next, events] = openBlock(state, { kind: "thinking", ...given({ id, vendor, entry: detail.index }) });
  const { open } = next;
  if (open === undefined) return [next, events];
  const isNew = text !== "" && open.plain !== true;
  const said: StreamEvent[] = isNew ? [{ type: "thinking-delta", index: open.index, text }] : [];
  const known = { detail: joinDetails(open.detail, detail), ...given({ signature }) };
  return [{ ...next, open: { ...open, ...known } }, [...events, ...said]];
}

interface Opening {
  readonly kind: OpenBlock["kind"];
  readonly id?: string;
  readonly vendor?: string;
  /** OpenRouter's number for the piece of reasoning. */
  readonly entry?: JsonValue;
}

/** Goes on with the open block where it is of the same kind, else ends it and starts another. */
function openBlock(state: State, { kind, id, vendor, entry }: Opening): Result {
  const { open } = state;
  if (open?.kind === kind && (entry === undefined || (open.detail?.index ?? entry) === entry)) return [state, []];
  const [closed, endings] = closeOpen(state);
  const index = closed.started;
  const start: StreamEvent =
    kind === "text" ? { type: "text-start", index } : given({ type: "thinking-start", index, id, vendor });
  return [{ ...closed, started: index + 1, open: { index, kind } }, [...endings, start]];
}

function closeOpen(state: State): Result {
  const { open, ...rest } = state;
  if (open === undefined) return [state, []];
  const { index, signature } = open;
  const detail = wholeDetail(open);
  const native = detail && { wire: WIRE, value: detail };
  const ending: StreamEvent =
    open.kind === "text" ? { type: "text-end", index } : given({ type: "thinking-end", index, signature, native });
  return [rest, [ending]];
}

/** The entry, where it has all that was thought: one beside a plain field may have none of the words. */
function wholeDetail({ detail, plain }: OpenBlock): JsonObject | undefined {
  return plain === true && (detail?.text ?? "") === "" ? undefined : detail;
}

/** The end of the reply; one that nobody announced is a broken stream. */
function onEnd(state: State, announced: boolean): Result {
  if (state.finish === "error" || state.phase === "before" || (state.finish === undefined && !announced)) {
    return fail(state, brokenOff());
  }
  const [closed, endings] = closeOpen(state);
  const ended = endCalls(closed.calls);
  const stopReason = state.refused ? "refusal" : decodeStopReason(state.finish ?? "stop", ended.length > 0);
  const end: StreamEvent = { type: "reply-end", stopReason, usage: decodeUsage(state.usage) };
  return [{ ...closed, phase: "after" }, [...endings, ...ended, end]];
}

function fail(state: State, error: LonghaulError): Result {
  return [{ ...state, phase: "after" }, [{ type: "error", error }]];
}
