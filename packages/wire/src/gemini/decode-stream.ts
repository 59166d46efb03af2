import {
  type Block,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
  type StreamEvent,
  type ThinkingBlock,
  type ToolCallBlock,
} from "@longhaul/conversation/advanced";
import { type ReplyContext, type Step, type Stepper, stepEach, type WireEvent } from "../codec/stepper.ts";
import type { Signed } from "../content/signature.ts";
import { defined, dropNulls, fieldOf, listIn, nonEmptyString, optionalString, readList } from "../fields/json.ts";
import { failStream, stepData, truncatedStream, withReplyErrors } from "../reply/read-reply.ts";
import { isPlaceholder, replyCallId } from "./calls.ts";
import { decodePart } from "./decode-message.ts";
import { decodeError } from "./error.ts";
import { innerFields } from "./field-names.ts";
import { BLOCKED, candidatesOf, decodeStopReason, decodeUsage, hasContent, isBlocked, mergeUsage } from "./reply.ts";
import { VENDOR, WIRE } from "./rules.ts";

/** The format has no final event: the reply ends with the stream, if it has a finish reason. */
export const decodeStream: Stepper<WireEvent, StreamEvent, State> = {
  start: ({ vendor = VENDOR }: ReplyContext = {}) => ({
    vendor,
    phase: "before",
    blocks: 0,
    calls: 0,
    reply: {},
    candidate: {},
    usage: {},
  }),
  step: (state, event) => (state.phase === "after" ? [state, []] : stepData(state, event.data, onChunk)),
  end: (state) => (state.phase === "after" ? [] : onEnd(state)),
};

interface State {
  readonly vendor: string;
  readonly phase: "before" | "during" | "after";
  /** Number of started blocks. */
  readonly blocks: number;
  readonly calls: number;
  /** The open text or thinking block. Chunks do not mark where a block ends. */
  readonly current?: OpenBlock;
  /** The call whose arguments arrive in pieces. */
  readonly partial?: PartialCall;
  /** The merged fields of all chunks except the content. */
  readonly reply: JsonObject;
  readonly candidate: JsonObject;
  readonly usage: JsonObject;
}

interface OpenBlock {
  readonly index: number;
  readonly kind: "text" | "thinking";
}

type Result = Step<State, StreamEvent>;

function onChunk(state: State, chunk: JsonObject): Result {
  if (isJsonObject(chunk.error)) return failStream(state, decodeError(200, chunk));
  const { candidates: _, ...rest } = dropNulls(chunk);
  const { first, others } = candidatesOf(chunk);
  const { content, ...candidate } = isBlocked(chunk) ? { finishReason: BLOCKED } : first;
  const merged = {
    ...state,
    reply: { ...state.reply, ...rest },
    candidate: { ...state.candidate, ...candidate },
    usage: mergeUsage(state.usage, chunk.usageMetadata),
  };
  const [next, events] = onParts(merged, fieldOf(content, "parts"));
  const opening = state.phase === "before" ? [replyStart(merged)] : [];
  const native = { wire: WIRE, value: { candidates: others } };
  const beside: readonly StreamEvent[] = others.length === 0 ? [] : [{ type: "native", native }];
  return [{ ...next, phase: "during" }, [...opening, ...events, ...beside]];
}

function replyStart({ reply, usage }: State): StreamEvent {
  const id = optionalString(reply.responseId) ?? "";
  const model = optionalString(reply.modelVersion) ?? "";
  return { type: "reply-start", id, model, usage: decodeUsage(usage), native: { wire: WIRE, value: reply } };
}

const PARTS = "candidates[0].content.parts";

function onParts(state: State, parts: JsonValue | undefined): Result {
  const list = withReplyErrors(() => readList(parts ?? [], PARTS));
  return stepEach(state, list, (next, part) =>
    isPiece(part, next.partial) ? onPiece(next, part) : onPart(next, part),
  );
}

function onPiece(state: State, part: JsonObject): Result {
  const { partial: before, ...rest } = state;
  const { whole, ...partial } = addPiece(before, part);
  return whole === undefined ? [{ ...rest, partial }, []] : onPart(rest, whole);
}

function onPart(state: State, part: JsonValue): Result {
  const block: Block = withReplyErrors(() => decodePart(part, PARTS, state.vendor));
  if (!hasContent(block)) return [state, []];
  switch (block.type) {
    case "text":
      return onText(state, block.text, nonEmptyString(block.extra?.thoughtSignature));
    // The part's own text, not the block's: a packed signature contains the whole text again.
    case "thinking":
      return onThought(state, optionalString(fieldOf(part, "text")) ?? "", block);
    case "tool-call":
      return onCall(state, block);
    default: {
      const [next, ending] = endCurrent(state);
      const whole: StreamEvent = { type: "block", index: next.blocks, block };
      return [{ ...next, blocks: next.blocks + 1 }, [...ending, whole]];
    }
  }
}

function onText(state: State, text: string, signature: string | undefined): Result {
  const [next, start] = openBlock(state, "text");
  const index = next.blocks - 1;
  const events: StreamEvent[] = [...start, { type: "text-delta", index, text }];
  if (signature === undefined) return [next, events];
  // A signature ends its text, and only this format can express it.
  const native: StreamEvent = { type: "native", index, native: { wire: WIRE, value: { thoughtSignature: signature } } };
  const [after, ending] = endCurrent(next);
  return [after, [...events, native, ...ending]];
}

function onThought(state: State, text: string, { signature, vendor }: ThinkingBlock): Result {
  const [next, start] = openBlock(state, "thinking");
  const index = next.blocks - 1;
  const events: StreamEvent[] = text === "" ? [...start] : [...start, { type: "thinking-delta", index, text }];
  if (signature === undefined) return [next, events];
  const maker = vendor === state.vendor ? undefined : vendor;
  const [after, ending] = endCurrent(next, defined({ signature, vendor: maker }));
  return [after, [...events, ...ending]];
}

/** Continues the current block if it has the same kind. Otherwise ends it and starts another. */
function openBlock(state: State, kind: OpenBlock["kind"]): Result {
  if (state.current?.kind === kind) return [state, []];
  const [next, ending] = endCurrent(state);
  const index = next.blocks;
  const start: StreamEvent =
    kind === "text" ? { type: "text-start", index } : { type: "thinking-start", index, vendor: state.vendor };
  return [{ ...next, blocks: index + 1, current: { index, kind } }, [...ending, start]];
}

function endCurrent(state: State, signed: Signed = {}): Result {
  const { current, ...rest } = state;
  if (current === undefined) return [state, []];
  const { index, kind } = current;
  const end: StreamEvent = kind === "text" ? { type: "text-end", index } : { type: "thinking-end", index, ...signed };
  return [rest, [end]];
}

function onCall(state: State, call: ToolCallBlock): Result {
  const [next, ending] = endCurrent(state);
  const index = next.blocks;
  const json = JSON.stringify(call.input);
  const replyId = optionalString(state.reply.responseId) ?? "";
  const id = isPlaceholder(call.id) ? replyCallId(replyId, state.calls, `${call.name}${json}`) : call.id;
  const { name, signature, native } = call;
  const events: readonly StreamEvent[] = [
    defined({ type: "tool-call-start", index, id, name, signature, native }),
    { type: "tool-call-delta", index, json },
    { type: "tool-call-end", index },
  ];
  return [{ ...next, blocks: index + 1, calls: state.calls + 1 }, [...ending, ...events]];
}

/** Ends the reply. Without a finish reason, the stream is truncated. */
function onEnd(state: State): readonly StreamEvent[] {
  if (state.candidate.finishReason === undefined || state.partial !== undefined)
    return failStream(state, truncatedStream())[1];
  const [, ending] = endCurrent(state);
  const { reply, candidate, usage, calls } = state;
  const end: StreamEvent = {
    type: "reply-end",
    stopReason: decodeStopReason(candidate.finishReason, calls > 0),
    usage: decodeUsage(usage),
    native: { wire: WIRE, value: { ...reply, candidates: [candidate] } },
  };
  return [...ending, end];
}

/** A call whose arguments arrive in pieces, which Vertex sends to clients that request it. */
export interface PartialCall {
  /** The first part of the call. */
  readonly part: JsonObject;
  readonly args: JsonObject;
}

/** Whether a part is a piece of a call: more will follow, or it continues an earlier piece. */
export function isPiece(part: JsonValue, before: PartialCall | undefined): part is JsonObject {
  const call = innerFields(fieldOf(part, "functionCall"));
  if (call.willContinue === true || listIn(call.partialArgs).length > 0) return true;
  return before !== undefined && isJsonObject(fieldOf(part, "functionCall")) && call.name === undefined;
}

/** Adds a piece to a call. Returns the whole part with the last piece. */
export function addPiece(
  before: PartialCall | undefined,
  part: JsonObject,
): PartialCall & { readonly whole?: JsonObject } {
  const call = innerFields(part.functionCall);
  const pieces = listIn(call.partialArgs);
  const start = before ?? { part, args: {} };
  const args = pieces.reduce(addArgument, start.args);
  if (call.willContinue === true) return { part: start.part, args };
  const { partialArgs: _, willContinue: _more, ...named } = innerFields(start.part.functionCall);
  return { part: start.part, args, whole: { ...start.part, functionCall: { ...named, args } } };
}

function addArgument(args: JsonObject, piece: JsonValue): JsonObject {
  const { jsonPath, stringValue, numberValue, boolValue } = innerFields(piece);
  const value = stringValue ?? numberValue ?? boolValue ?? null;
  const added = addAt(args, stepsOf(optionalString(jsonPath) ?? ""), value);
  return isJsonObject(added) ? added : args;
}

/** Splits a path such as `$.edits[0].text` into steps. */
function stepsOf(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[['"]([^'"]*)['"]\]/g)].map(([, name, index, quoted]) =>
    index === undefined ? (name ?? quoted ?? "") : Number(index),
  );
}

/** Sets a value at a path. Strings at the same path are concatenated. */
function addAt(
  before: JsonValue | undefined,
  [step, ...rest]: readonly (string | number)[],
  value: JsonValue,
): JsonValue {
  if (step === undefined) return typeof before === "string" && typeof value === "string" ? before + value : value;
  if (typeof step === "string") {
    const object = isJsonObject(before) ? before : {};
    return { ...object, [step]: addAt(ownValue(object, step), rest, value) };
  }
  const list = listIn(before);
  // An array grows by one entry at a time, however large the upstream's index is.
  const at = Math.min(step, list.length);
  return list.toSpliced(at, 1, addAt(list[at], rest, value));
}
