import type { StreamEvent } from "../core/api.ts";
import { type JsonObject, objectIn, textIn } from "../core/json.ts";
import { piecesOf } from "../core/pieces.ts";
import { type FinishedMessage, messageOf, stopDetails } from "./reply.ts";

/** A reply as the events that the Messages API streams. */
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

/** The first piece is empty; a call without arguments has no other. */
function inputDeltas(input: JsonObject, cut: (text: string) => readonly string[]): readonly JsonObject[] {
  const pieces = Object.keys(input).length === 0 ? [] : cut(JSON.stringify(input));
  return ["", ...pieces].map((partial_json) => ({ type: "input_json_delta", partial_json }));
}

/** A block that was asked for arrives whole; one that the threshold made arrives empty, with one delta. */
function compactionParts(block: JsonObject): { start: JsonObject; deltas: readonly JsonObject[] } {
  if (block.signature !== undefined) return { start: block, deltas: [] };
  const { content, encrypted_content } = block;
  return {
    start: { type: "compaction", content: null, encrypted_content: null },
    deltas: [{ type: "compaction_delta", content, encrypted_content }],
  };
}
