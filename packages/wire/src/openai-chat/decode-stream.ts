import {
  type Block,
  isJsonArray,
  type JsonObject,
  type JsonValue,
  type StreamEvent,
} from "@longhaul/conversation/advanced";
import { type ReplyContext, type Step, type Stepper, stepEach, type WireEvent } from "../codec/stepper.ts";
import { defined, fieldOf, listIn, nonEmptyString, objectIn, optionalString } from "../fields/json.ts";
import { failStream, stepData, truncatedStream } from "../reply/read-reply.ts";
import { plainThinking, thinkingOfPart } from "./decode-message.ts";
import { decodeError } from "./error.ts";
import { decodeDetail, joinDetails, textOfDetail, vendorOfDetail } from "./reasoning-details.ts";
import { choicesIn, decodeStopReason, decodeUsage, isErrorBody, isFailure, usageIn } from "./reply.ts";
import { WIRE } from "./rules.ts";
import { type Call, callPieces, decodeCallPieces, endCalls } from "./stream-calls.ts";

export const decodeStream: Stepper<WireEvent, StreamEvent, State> = {
  start: ({ vendor }: ReplyContext = {}) => defined({ vendor, phase: "before", started: 0, calls: [], refused: false }),
  step: (state, event) => (state.phase === "after" ? [state, []] : onData(state, event.data)),
  end: (state) => (state.phase === "after" ? [] : onEnd(state, false)[1]),
};

interface State {
  readonly vendor?: string;
  readonly phase: "before" | "during" | "after";
  /** Number of started blocks. */
  readonly started: number;
  /** The open text or thinking block. */
  readonly open?: OpenBlock;
  /** All calls so far. They end only with the reply. */
  readonly calls: readonly Call[];
  readonly usage?: JsonObject;
  readonly finish?: string;
  readonly refused: boolean;
}

interface OpenBlock {
  readonly index: number;
  readonly kind: "text" | "thinking";
  readonly signature?: string;
  /** OpenRouter's reasoning detail, as received so far. */
  readonly detail?: JsonObject;
  /** Whether its text arrives in a plain field. Its details then only repeat the text. */
  readonly plain?: boolean;
}

type Result = Step<State, StreamEvent>;

function onData(state: State, data: string): Result {
  return data === "[DONE]" ? onEnd(state, true) : stepData(state, data, onChunk);
}

function onChunk(state: State, chunk: JsonObject): Result {
  if (isErrorBody(chunk)) return failStream(state, decodeError(200, chunk));
  const choices = choicesIn(chunk);
  const usage = usageIn(chunk, choices);
  const counted: State = usage === undefined ? state : { ...state, usage };
  if (state.phase === "during") return stepEach(counted, choices, onChoice);
  // Azure's first chunk has no id, no model and no choice.
  if (choices.length === 0 && nonEmptyString(chunk.id) === undefined) return [counted, []];
  const [after, events] = stepEach({ ...counted, phase: "during" }, choices, onChoice);
  const [id, model] = [optionalString(chunk.id) ?? "", optionalString(chunk.model) ?? ""];
  return [after, [{ type: "reply-start", id, model }, ...events]];
}

function onChoice(state: State, choice: JsonObject): Result {
  // Some servers send a complete reply as the only event of a stream.
  const delta = choice.delta ?? (state.started === 0 ? choice.message : undefined);
  const [after, events] = onDelta(state, objectIn(delta));
  const finish = nonEmptyString(choice.finish_reason);
  return [finish === undefined ? after : { ...after, finish }, events];
}

function onDelta(state: State, delta: JsonObject): Result {
  const [thought, thoughts] = onReasoning(state, delta);
  const [afterText, texts] = onContent(thought, delta.content);
  const [refused, refusals] = onRefusal(afterText, delta.refusal);
  const pieces = callPieces(delta);
  if (pieces.length === 0) return [refused, [...thoughts, ...texts, ...refusals]];
  const [closed, endings] = closeOpen(refused);
  const { calls, started, events } = decodeCallPieces(closed.calls, closed.started, pieces);
  return [{ ...closed, calls, started }, [...thoughts, ...texts, ...refusals, ...endings, ...events]];
}

/** Decodes content. Mistral sends it as text and thinking parts. */
function onContent(state: State, content: JsonValue | undefined): Result {
  if (content === undefined || !isJsonArray(content)) return onText(state, content);
  return stepEach(state, content, (next, part) => {
    const thinking = thinkingOfPart(part);
    return thinking === undefined ? onText(next, fieldOf(part, "text")) : onPlainThinking(next, thinking);
  });
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
  const details = listIn(delta.reasoning_details);
  if (details.length === 0) return onPlainThinking(state, plainThinking(delta));
  return stepEach(state, details, (next, detail) => onDetail(next, objectIn(detail)));
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
  return onThinking(state, textOfDetail(detail), detail);
}

function onPlainThinking(state: State, text: string): Result {
  if (text === "") return [state, []];
  const [next, events] = openBlock(state, { kind: "thinking", ...defined({ vendor: state.vendor }) });
  const { open } = next;
  if (open === undefined) return [next, events];
  const delta: StreamEvent = { type: "thinking-delta", index: open.index, text };
  return [open.plain === true ? next : { ...next, open: { ...open, plain: true } }, [...events, delta]];
}

function onThinking(state: State, text: string, detail: JsonObject): Result {
  const signature = nonEmptyString(detail.signature);
  if (text === "" && signature === undefined && nonEmptyString(detail.format) === undefined) return [state, []];
  const id = nonEmptyString(detail.id);
  const vendor = vendorOfDetail(detail, state.vendor);
  const [next, events] = openBlock(state, { kind: "thinking", ...defined({ id, vendor, entry: detail.index }) });
  const { open } = next;
  if (open === undefined) return [next, events];
  const isNew = text !== "" && open.plain !== true;
  const deltas: StreamEvent[] = isNew ? [{ type: "thinking-delta", index: open.index, text }] : [];
  const known = { detail: joinDetails(open.detail, detail), ...defined({ signature }) };
  return [{ ...next, open: { ...open, ...known } }, [...events, ...deltas]];
}

interface Opening {
  readonly kind: OpenBlock["kind"];
  readonly id?: string;
  readonly vendor?: string;
  /** OpenRouter's index of the reasoning detail. */
  readonly entry?: JsonValue;
}

/** Continues the open block if it has the same kind. Otherwise ends it and starts another. */
function openBlock(state: State, { kind, id, vendor, entry }: Opening): Result {
  const { open } = state;
  if (open?.kind === kind && (entry === undefined || (open.detail?.index ?? entry) === entry)) return [state, []];
  const [closed, endings] = closeOpen(state);
  const index = closed.started;
  const start: StreamEvent =
    kind === "text" ? { type: "text-start", index } : defined({ type: "thinking-start", index, id, vendor });
  return [{ ...closed, started: index + 1, open: { index, kind } }, [...endings, start]];
}

function closeOpen(state: State): Result {
  const { open, ...rest } = state;
  if (open === undefined) return [state, []];
  const { index, signature, detail, plain } = open;
  // A detail beside a plain field may have no text.
  const isWhole = plain !== true || (detail?.text ?? "") !== "";
  const native = isWhole && detail !== undefined ? { wire: WIRE, value: detail } : undefined;
  const ending: StreamEvent =
    open.kind === "text" ? { type: "text-end", index } : defined({ type: "thinking-end", index, signature, native });
  return [rest, [ending]];
}

/** Ends the reply. Without a finish reason or `[DONE]`, the stream is truncated. */
function onEnd(state: State, announced: boolean): Result {
  if (state.phase === "before" || isFailure(state.finish) || (state.finish === undefined && !announced)) {
    return failStream(state, truncatedStream());
  }
  const [closed, endings] = closeOpen(state);
  const ended = endCalls(closed.calls);
  const stopReason = state.refused ? "refusal" : decodeStopReason(state.finish ?? "stop", ended.length > 0);
  const end: StreamEvent = { type: "reply-end", stopReason, usage: decodeUsage(state.usage) };
  return [{ ...closed, phase: "after" }, [...endings, ...ended, end]];
}
