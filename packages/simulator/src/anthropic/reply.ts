import type { StreamEvent } from "../core/api.ts";
import type { Output, Stop } from "../core/compose.ts";
import { isGiven, type JsonObject, objectIn, textIn } from "../core/json.ts";
import { piecesOf } from "../core/text.ts";
import type { World } from "../core/world.ts";
import { type Anchor, signThinking } from "./binding.ts";
import type { MessagesRequest } from "./request.ts";

export interface FinishedMessage {
  readonly id: string;
  readonly model: string;
  readonly content: readonly JsonObject[];
  readonly stopReason: string;
  readonly stopSequence: string | null;
  readonly usage: JsonObject;
  /** Usage in the first stream event; differs after compaction. */
  readonly usageAtStart: JsonObject;
  /** Fields of some requests only: `context_management`, `input_transformations`. */
  readonly extra: JsonObject;
}

const STOP_REASONS: Readonly<Record<Stop, string>> = {
  end: "end_turn",
  calls: "tool_use",
  length: "max_tokens",
  window: "model_context_window_exceeded",
  sequence: "stop_sequence",
  refusal: "refusal",
};

export function stopReason(stop: Stop): string {
  return STOP_REASONS[stop];
}

/** Returns the blocks of an answer: thinking, text, tool calls. A refusal has none. */
export function contentOf(
  output: Output,
  { request, anchor, world }: { request: MessagesRequest; anchor: Anchor; world: World },
): readonly JsonObject[] {
  if (output.stop === "refusal") return [];
  const blocks: JsonObject[] = [];
  if (output.thinking !== undefined) blocks.push(thinkingBlock(output.thinking, { request, anchor, world }));
  if (output.text !== "") blocks.push({ type: "text", text: output.text });
  for (const { id, name, input } of output.calls) blocks.push({ type: "tool_use", id: `toolu_${id}`, name, input });
  return blocks;
}

function thinkingBlock(
  thinking: NonNullable<Output["thinking"]>,
  { request, anchor, world }: { request: MessagesRequest; anchor: Anchor; world: World },
): JsonObject {
  const text = isOmitted(request) || thinking.isRedacted ? "" : thinking.text;
  const signature = signThinking(world, { anchor, model: request.model.name, text, tokens: thinking.tokens });
  return thinking.isRedacted
    ? { type: "redacted_thinking", data: signature }
    : { type: "thinking", thinking: text, signature };
}

/** Models with only adaptive thinking omit its text unless asked. */
function isOmitted({ body, model }: MessagesRequest): boolean {
  const { display } = objectIn(body.thinking);
  return isGiven(display) ? display === "omitted" : !model.reasoning.thinkingTypes.includes("enabled");
}

export function messageOf(finished: FinishedMessage): JsonObject {
  return {
    id: finished.id,
    type: "message",
    role: "assistant",
    model: finished.model,
    content: finished.content,
    stop_reason: finished.stopReason,
    stop_sequence: finished.stopSequence,
    stop_details: stopDetails(finished),
    usage: finished.usage,
    ...finished.extra,
  };
}

function stopDetails({ stopReason: reason }: FinishedMessage): JsonObject | null {
  return reason === "refusal" ? { type: "refusal", category: null, explanation: null } : null;
}

export function eventsOf(finished: FinishedMessage, deltaChars: number): readonly StreamEvent[] {
  return [
    messageStart(finished),
    event({ type: "ping" }),
    ...finished.content.flatMap((block, index) => blockEvents(block, index, deltaChars)),
    messageDelta(finished),
    event({ type: "message_stop" }),
  ];
}

function event(data: JsonObject): StreamEvent {
  return { event: textIn(data.type), data: JSON.stringify(data) };
}

function messageStart(finished: FinishedMessage): StreamEvent {
  const { input_transformations } = finished.extra;
  const message = messageOf({ ...finished, content: [], extra: {} });
  return event({
    type: "message_start",
    message: {
      ...message,
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: { ...finished.usageAtStart, output_tokens: 1 },
      ...(input_transformations !== undefined && { input_transformations }),
    },
  });
}

function messageDelta(finished: FinishedMessage): StreamEvent {
  const { context_management } = finished.extra;
  return event({
    type: "message_delta",
    delta: {
      stop_reason: finished.stopReason,
      stop_sequence: finished.stopSequence,
      stop_details: stopDetails(finished),
    },
    usage: finished.usage,
    ...(context_management !== undefined && { context_management }),
  });
}

function blockEvents(block: JsonObject, index: number, deltaChars: number): readonly StreamEvent[] {
  const { start, deltas } = partsOf(block, deltaChars);
  return [
    event({ type: "content_block_start", index, content_block: start }),
    ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
    event({ type: "content_block_stop", index }),
  ];
}

function partsOf(block: JsonObject, deltaChars: number): { start: JsonObject; deltas: readonly JsonObject[] } {
  const cut = (text: unknown) => piecesOf(textIn(text), deltaChars);
  switch (block.type) {
    case "text":
      return { start: { ...block, text: "" }, deltas: cut(block.text).map((text) => ({ type: "text_delta", text })) };
    case "thinking":
      return {
        start: { ...block, thinking: "", signature: "" },
        deltas: [
          ...cut(block.thinking).map((thinking) => ({ type: "thinking_delta", thinking })),
          { type: "signature_delta", signature: block.signature },
        ],
      };
    case "tool_use":
      return { start: { ...block, input: {} }, deltas: inputDeltas(objectIn(block.input), cut) };
    case "compaction":
      return compactionParts(block);
    default:
      return { start: block, deltas: [] };
  }
}

/** The first delta is empty; a call without arguments has no other. */
function inputDeltas(input: JsonObject, cut: (text: string) => readonly string[]): readonly JsonObject[] {
  const pieces = Object.keys(input).length === 0 ? [] : cut(JSON.stringify(input));
  return ["", ...pieces].map((partial_json) => ({ type: "input_json_delta", partial_json }));
}

/** A block made on demand arrives complete; one made by the threshold arrives empty, with one delta. */
function compactionParts(block: JsonObject): { start: JsonObject; deltas: readonly JsonObject[] } {
  if (block.signature !== undefined) return { start: block, deltas: [] };
  const { content, encrypted_content } = block;
  return {
    start: { type: "compaction", content: null, encrypted_content: null },
    deltas: [{ type: "compaction_delta", content, encrypted_content }],
  };
}
