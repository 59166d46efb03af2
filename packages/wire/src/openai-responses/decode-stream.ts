import type { JsonObject, JsonValue, StreamEvent, ThinkingBlock } from "@longhaul/conversation/advanced";
import type { ReplyContext, Step, Stepper, WireEvent } from "../codec/stepper.ts";
import type { Signed } from "../content/signature.ts";
import { defined, dropNulls, fieldOf, listIn, nonEmptyString, objectIn, optionalString } from "../fields/json.ts";
import { failStream, stepData, truncatedStream, withReplyErrors } from "../reply/read-reply.ts";
import { decodeItem, isRefusal, isServerCall, SUMMARY_GAP } from "./decode-message.ts";
import { decodeError } from "./error.ts";
import { decodeStopReason, decodeUsage } from "./reply.ts";
import { VENDOR, WIRE } from "./rules.ts";
import {
  addPiece,
  addText,
  type Blocks,
  chain,
  closeBlock,
  itemKey,
  noBlocks,
  openBlock,
  partKey,
} from "./stream-blocks.ts";

export const decodeStream: Stepper<WireEvent, StreamEvent, State> = {
  start: ({ vendor = VENDOR }: ReplyContext = {}) => ({ ...noBlocks(vendor), phase: "before", refused: false }),
  step: (state, event) => (state.phase === "after" ? [state, []] : onData(state, event.data)),
  end: (state) => (state.phase === "after" ? [] : failStream(state, truncatedStream())[1]),
};

interface State extends Blocks {
  readonly phase: "before" | "during" | "after";
  readonly refused: boolean;
}

type Result = Step<State, StreamEvent>;

function onData(state: State, data: string): Result {
  // Some compatible servers end with [DONE], a few of them without any other end.
  if (data === "[DONE]") return state.started === 0 ? [state, []] : onEnd(state, {});
  return stepData(state, data, onEvent);
}

function onEvent(state: State, given: JsonObject): Result {
  const event = dropNulls(given);
  switch (event.type) {
    case "response.output_text.delta":
    case "response.refusal.delta":
      return onText(state, event);
    case "response.function_call_arguments.delta":
    case "response.custom_tool_call_input.delta":
      return addText(state, itemKey(event), optionalString(event.delta) ?? "");
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
      return onThinking(state, event);
    case "response.created":
    case "response.queued":
    case "response.in_progress":
      return onStart(state, event.response);
    case "response.output_item.added":
      return onItemAdded(state, event);
    case "response.output_item.done":
      return onItemDone(state, event);
    case "response.content_part.added":
      return isText(event.part) ? openBlock(state, partKey(event), { kind: "text" }) : [state, []];
    case "response.content_part.done":
      return onPartDone(state, event);
    case "response.completed":
    case "response.incomplete":
      return onEnd(state, { status: event.type.slice(EVENT_PREFIX.length), ...objectIn(event.response) });
    case "response.failed":
      return failStream(state, decodeError(200, event.response));
    case "error":
      return failStream(state, decodeError(200, event));
    default:
      return [state, onOther(event)];
  }
}

/** Events that only repeat earlier deltas and are dropped. Other unknown events are kept as native events. */
const REPEATS = /\.(done|part\.added|in_progress)$/;

function onOther(event: JsonObject): readonly StreamEvent[] {
  const isRepeat = typeof event.type !== "string" || REPEATS.test(event.type);
  return isRepeat ? [] : [{ type: "native", native: { wire: WIRE, value: event } }];
}

function isText(part: JsonValue | undefined): boolean {
  const type = fieldOf(part, "type");
  return type === "output_text" || type === "refusal";
}

function isCall(item: JsonObject): boolean {
  return item.type === "function_call" || (item.type === "custom_tool_call" && !isServerCall(item));
}

function onStart(state: State, response: JsonValue | undefined): Result {
  if (state.phase !== "before") return [state, []];
  const id = optionalString(fieldOf(response, "id")) ?? "";
  const model = optionalString(fieldOf(response, "model")) ?? "";
  return [{ ...state, phase: "during" }, [{ type: "reply-start", id, model }]];
}

function onText(state: State, event: JsonObject): Result {
  const key = partKey(event);
  const text = optionalString(event.delta) ?? "";
  if (state.open.has(key)) return addText(state, key, text);
  return chain(
    state,
    (next) => openBlock(next, key, { kind: "text" }),
    (next) => addText(next, key, text),
  );
}

/** Some servers send a text only when it is complete. */
function onPartDone(state: State, event: JsonObject): Result {
  const key = partKey(event);
  if (!isText(event.part)) return [state, []];
  const text = nonEmptyString(fieldOf(event.part, "text")) ?? nonEmptyString(fieldOf(event.part, "refusal")) ?? "";
  return chain(
    state,
    (next) => openBlock(next, key, { kind: "text" }),
    (next) => (next.open.get(key)?.hasText ? [next, []] : addText(next, key, text)),
    (next) => closeBlock(next, key),
  );
}

function onThinking(state: State, event: JsonObject): Result {
  const key = itemKey(event);
  const piece = event.summary_index ?? event.content_index ?? 0;
  const text = optionalString(event.delta) ?? "";
  return chain(
    state,
    (next) => openBlock(next, key, { kind: "thinking" }),
    (next) => {
      const block = next.open.get(key);
      const gap = block?.hasText === true && block.piece !== piece ? SUMMARY_GAP : "";
      return addPiece(next, key, { text: text === "" ? "" : `${gap}${text}`, piece });
    },
  );
}

function onItemAdded(state: State, event: JsonObject): Result {
  const item = objectIn(event.item);
  if (item.type === "reasoning") return openBlock(state, itemKey(event), { kind: "thinking", item });
  return isCall(item) ? openBlock(state, itemKey(event), { kind: "tool-call", item }) : [state, []];
}

/** Handles a completed item. Only here do some servers send arguments, and only here is encrypted reasoning complete. */
function onItemDone(state: State, event: JsonObject): Result {
  const item = objectIn(event.item);
  if (item.type === "message") return onMessageDone(state, event, item);
  if (item.type === "reasoning" || isCall(item)) return onWholeItem(state, itemKey(event), item);
  const block = withReplyErrors(() => decodeItem(event.item ?? {}, "item", state.vendor));
  return [{ ...state, started: state.started + 1 }, [{ type: "block", index: state.started, block }]];
}

function onWholeItem(state: State, key: string, item: JsonObject): Result {
  const block = withReplyErrors(() => decodeItem(item, "item", state.vendor));
  const isThought = block.type === "thinking";
  const text = isThought ? block.text : (nonEmptyString(item.arguments) ?? nonEmptyString(item.input) ?? "");
  return chain(
    state,
    (next) => openBlock(next, key, { kind: isThought ? "thinking" : "tool-call", item }),
    (next) => (next.open.get(key)?.hasText ? [next, []] : addText(next, key, text)),
    (next) => closeBlock(next, key, isThought ? signedBy(block, state.vendor) : {}),
  );
}

/** Returns the signature. The vendor is included only if it differs from the one given at the start. */
function signedBy({ signature, vendor }: ThinkingBlock, known: string): Signed {
  return defined({ signature, vendor: vendor === known ? undefined : vendor });
}

function onMessageDone(state: State, event: JsonObject, item: JsonObject): Result {
  const parts = listIn(item.content);
  const before = isRefusal(item) ? { ...state, refused: true } : state;
  const isStarted = state.startedItems.has(itemKey(event));
  const steps = parts.map((part, number) => (next: State): Result => {
    const place = { ...event, content_index: number, part };
    return isStarted ? closeBlock(next, partKey(place)) : onPartDone(next, place);
  });
  return chain(before, ...steps);
}

const EVENT_PREFIX = "response.";

function onEnd(state: State, response: JsonObject): Result {
  const started = onStart(state, response);
  // Some servers send only this event, with the whole output.
  const items = state.started > 0 ? [] : listIn(response.output);
  const steps = items.map(
    (item, number) =>
      (next: State): Result =>
        onItemDone(next, { output_index: number, item }),
  );
  const [decoded, events] = chain(started[0], ...steps);
  const [closed, ends] = chain(
    decoded,
    ...[...decoded.open.keys()].map((key) => (next: State) => closeBlock(next, key)),
  );
  const stopReason = decodeStopReason(response, { refused: closed.refused, calls: closed.calls });
  const end: StreamEvent = { type: "reply-end", stopReason, usage: decodeUsage(response.usage) };
  return [{ ...closed, phase: "after" }, [...started[1], ...events, ...ends, end]];
}
