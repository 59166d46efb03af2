import { type JsonObject, table } from "@longhaul/conversation/advanced";
import { type Signed, tagSignature } from "../content/signature.ts";
import { defined } from "../fields/json.ts";
import { encodeText } from "./reply.ts";
import { encodeName, VENDOR } from "./rules.ts";

/** A partially written item. */
export interface OpenItem {
  readonly kind: "text" | "thinking" | "function" | "custom";
  /** Suffix of its id. */
  readonly serial: string;
  /** Its output index. */
  readonly place: number;
  /** Text written so far. */
  readonly text: string;
  /** The vendor's own id. */
  readonly id?: string;
  readonly vendor?: string;
  readonly callId?: string;
  readonly name?: string;
}

/** Returns the events that start an item. */
export function startItem(item: OpenItem): readonly JsonObject[] {
  const added = { type: "response.output_item.added", output_index: item.place, item: beginningOf(item) };
  if (item.kind !== "text") return [added];
  const part = { type: "output_text", text: "", annotations: [], logprobs: [] };
  return [added, { type: "response.content_part.added", ...partPlace(item), part }];
}

function beginningOf(item: OpenItem): JsonObject {
  const id = idOf(item);
  if (item.kind === "text") return { id, type: "message", status: "in_progress", role: "assistant", content: [] };
  if (item.kind === "thinking") return { id, type: "reasoning", summary: [] };
  return callItem({ ...item, kind: item.kind }, "in_progress", "");
}

/** The two kinds of calls: their item type, the field of their arguments, and their events. */
const CALLS = table({
  function: {
    type: "function_call",
    field: "arguments",
    delta: "response.function_call_arguments.delta",
    done: "response.function_call_arguments.done",
  },
  custom: {
    type: "custom_tool_call",
    field: "input",
    delta: "response.custom_tool_call_input.delta",
    done: "response.custom_tool_call_input.done",
  },
} as const);

function callItem(item: OpenItem & { kind: keyof typeof CALLS }, status: string, text: string): JsonObject {
  const { type, field } = CALLS[item.kind];
  const { callId: call_id = "", name = "" } = item;
  return { id: idOf(item), type, status, call_id, ...encodeName(name), [field]: text };
}

const PREFIXES = table({ text: "msg", thinking: "rs", function: "fc", custom: "ctc" } as const);

function idOf({ kind, serial, id }: OpenItem): string {
  return id ?? `${PREFIXES[kind]}_${serial}`;
}

function itemPlace(item: OpenItem): JsonObject {
  return { item_id: idOf(item), output_index: item.place };
}

function partPlace(item: OpenItem): JsonObject {
  return { ...itemPlace(item), content_index: 0 };
}

/** A delta of an item: events to send first, then the delta with its fields already encoded. */
export interface ItemDelta {
  readonly events: readonly JsonObject[];
  readonly data: { readonly type: string; readonly fields: string };
}

/** Encodes a delta without building an object, because most events of a stream are deltas. */
export function itemDelta(item: OpenItem, text: string): ItemDelta {
  const place = `"item_id":${JSON.stringify(idOf(item))},"output_index":${item.place}`;
  const delta = `"delta":${JSON.stringify(text)}`;
  switch (item.kind) {
    case "text": {
      const fields = `${place},"content_index":0,${delta},"logprobs":[]`;
      return { events: [], data: { type: "response.output_text.delta", fields } };
    }
    case "thinking": {
      const part = { type: "response.reasoning_summary_part.added", ...summaryPlace(item), part: summaryOf("") };
      const fields = `${place},"summary_index":0,${delta}`;
      return {
        events: item.text === "" ? [part] : [],
        data: { type: "response.reasoning_summary_text.delta", fields },
      };
    }
    default:
      return { events: [], data: { type: CALLS[item.kind].delta, fields: `${place},${delta}` } };
  }
}

function summaryPlace(item: OpenItem): JsonObject {
  return { ...itemPlace(item), summary_index: 0 };
}

function summaryOf(text: string): JsonObject {
  return { type: "summary_text", text };
}

/** Returns the events that end an item, and the complete item. */
export function endItem(item: OpenItem, signed: Signed): { events: readonly JsonObject[]; whole: JsonObject } {
  const whole = wholeOf(item, signed);
  const done = { type: "response.output_item.done", output_index: item.place, item: whole };
  return { events: [...endings(item), done], whole };
}

function wholeOf(item: OpenItem, signed: Signed): JsonObject {
  const { kind, serial, text, vendor } = item;
  if (kind === "text") return encodeText(text, serial);
  if (kind !== "thinking") return callItem({ ...item, kind }, "completed", text);
  const encrypted_content = tagSignature({ ...defined({ vendor }), ...signed }, VENDOR);
  const summary = text === "" ? [] : [summaryOf(text)];
  return { id: idOf(item), type: "reasoning", summary, ...defined({ encrypted_content }) };
}

function endings(item: OpenItem): readonly JsonObject[] {
  const { kind, text } = item;
  switch (kind) {
    case "text": {
      const part = { type: "output_text", text, annotations: [], logprobs: [] };
      return [
        { type: "response.output_text.done", ...partPlace(item), text, logprobs: [] },
        { type: "response.content_part.done", ...partPlace(item), part },
      ];
    }
    case "thinking":
      if (text === "") return [];
      return [
        { type: "response.reasoning_summary_text.done", ...summaryPlace(item), text },
        { type: "response.reasoning_summary_part.done", ...summaryPlace(item), part: summaryOf(text) },
      ];
    default: {
      const { done, field } = CALLS[kind];
      return [{ type: done, ...itemPlace(item), [field]: text }];
    }
  }
}
