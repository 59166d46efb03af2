import type { StreamEvent } from "../core/api.ts";
import { type JsonObject, objectIn, objectsIn, textIn } from "../core/json.ts";
import { piecesOf } from "../core/pieces.ts";
import type { Rejection } from "../core/rejection.ts";
import { openaiError } from "../openai/errors.ts";
import { type FinishedResponse, responseOf } from "./reply.ts";

/** A reply as the events that the Responses API streams, each with its number. */
export function eventsOf(finished: FinishedResponse, deltaChars: number): readonly StreamEvent[] {
  const end = { type: `response.${finished.status}`, response: responseOf(finished) };
  return numbered([
    ...opening(finished),
    ...finished.output.flatMap((item, index) => itemEvents(item, index, deltaChars)),
    end,
  ]);
}

/** A stream that fails after it began: an error, then the failed response. */
export function failureEvents(finished: FinishedResponse, rejection: Rejection): readonly StreamEvent[] {
  const error = openaiError(rejection);
  const failed = { ...finished, status: "failed", error: { code: error.code, message: error.message } } as const;
  return numbered([
    ...opening(finished),
    { type: "error", error },
    { type: "response.failed", response: responseOf(failed) },
  ]);
}

function numbered(events: readonly JsonObject[]): readonly StreamEvent[] {
  return events.map((event, at) => ({
    event: textIn(event.type),
    data: JSON.stringify({ ...event, sequence_number: at }),
  }));
}

function opening(finished: FinishedResponse): readonly JsonObject[] {
  const response = {
    ...responseOf({ ...finished, output: [], usage: null }),
    status: "in_progress",
    incomplete_details: null,
  };
  return [
    { type: "response.created", response },
    { type: "response.in_progress", response },
  ];
}

function itemEvents(item: JsonObject, output_index: number, deltaChars: number): readonly JsonObject[] {
  const place = { item_id: item.id, output_index };
  const cut = (text: unknown) => piecesOf(textIn(text), deltaChars);
  return [
    { type: "response.output_item.added", output_index, item: begun(item) },
    ...innerEvents(item, place, cut),
    { type: "response.output_item.done", output_index, item },
  ];
}

/** An item as it is first shown: empty, and its encrypted content not yet complete. */
function begun(item: JsonObject): JsonObject {
  switch (item.type) {
    case "message":
      return { ...item, status: "in_progress", content: [] };
    case "function_call":
      return { ...item, status: "in_progress", arguments: "" };
    case "custom_tool_call":
      return { ...item, status: "in_progress", input: "" };
    case "reasoning":
      return { ...item, summary: [], ...("encrypted_content" in item && { encrypted_content: "" }) };
    case "compaction":
      return { ...item, encrypted_content: "" };
    default:
      return item;
  }
}

type Cut = (text: unknown) => readonly string[];

function innerEvents(item: JsonObject, place: JsonObject, cut: Cut): readonly JsonObject[] {
  switch (item.type) {
    case "message":
      return objectsIn(item.content).flatMap((part, content_index) =>
        partEvents(part, { ...place, content_index }, cut),
      );
    case "function_call":
      return argumentEvents(item, place, cut);
    case "custom_tool_call":
      return inputEvents(item, place, cut);
    case "reasoning":
      return objectsIn(item.summary).flatMap((part, summary_index) =>
        summaryEvents(part, { ...place, summary_index }, cut),
      );
    case "compaction":
      return [{ type: "response.compaction.compacting", ...place }];
    default:
      return [];
  }
}

function partEvents(part: JsonObject, place: JsonObject, cut: Cut): readonly JsonObject[] {
  const isRefusal = part.type === "refusal";
  const name = isRefusal ? "response.refusal" : "response.output_text";
  const more = isRefusal ? {} : { logprobs: [] };
  const done = isRefusal ? { refusal: part.refusal } : { text: part.text, logprobs: [] };
  return [
    {
      type: "response.content_part.added",
      ...place,
      part: { ...part, ...(isRefusal ? { refusal: "" } : { text: "" }) },
    },
    ...cut(part.text ?? part.refusal).map((delta) => ({ type: `${name}.delta`, ...place, delta, ...more })),
    { type: `${name}.done`, ...place, ...done },
    { type: "response.content_part.done", ...place, part },
  ];
}

function argumentEvents(item: JsonObject, place: JsonObject, cut: Cut): readonly JsonObject[] {
  const name = "response.function_call_arguments";
  return [
    ...cut(item.arguments).map((delta) => ({ type: `${name}.delta`, ...place, delta })),
    { type: `${name}.done`, ...place, name: item.name, arguments: item.arguments },
  ];
}

function inputEvents(item: JsonObject, place: JsonObject, cut: Cut): readonly JsonObject[] {
  const name = "response.custom_tool_call_input";
  return [
    ...cut(item.input).map((delta) => ({ type: `${name}.delta`, ...place, delta })),
    { type: `${name}.done`, ...place, input: item.input },
  ];
}

function summaryEvents(part: JsonObject, place: JsonObject, cut: Cut): readonly JsonObject[] {
  const name = "response.reasoning_summary";
  const { text } = objectIn(part);
  return [
    { type: `${name}_part.added`, ...place, part: { type: "summary_text", text: "" } },
    ...cut(text).map((delta) => ({ type: `${name}_text.delta`, ...place, delta })),
    { type: `${name}_text.done`, ...place, text },
    { type: `${name}_part.done`, ...place, part },
  ];
}
