import type { Rejection, StreamEvent } from "../core/api.ts";
import type { Output } from "../core/compose.ts";
import { type JsonObject, objectIn, objectsIn, textIn, textsIn } from "../core/json.ts";
import { piecesOf } from "../core/text.ts";
import type { World } from "../core/world.ts";
import { openaiError } from "../openai/api.ts";
import type { PromptBill } from "../openai/prompt-bill.ts";
import { ENCRYPTED_PREFIX } from "./check-items.ts";
import { type RequestTool, toolsOf } from "./request.ts";

export interface FinishedResponse {
  readonly id: string;
  /** In seconds. */
  readonly created: number;
  readonly body: JsonObject;
  readonly output: readonly JsonObject[];
  readonly status: "completed" | "incomplete" | "failed";
  readonly usage: JsonObject | null;
  readonly error: JsonObject | null;
}

interface ItemContext {
  readonly body: JsonObject;
  readonly items: readonly JsonObject[];
  /** The part that all ids of the response share. */
  readonly mark: string;
  readonly world: World;
}

export function itemsOf(output: Output, context: ItemContext): readonly JsonObject[] {
  const { mark } = context;
  const items: JsonObject[] = [];
  if (output.thinking !== undefined) items.push(reasoningItem(output.thinking, context));
  if (output.text !== "" || output.calls.length === 0) items.push(messageItem(output, mark));
  const tools = toolsOf(context.body, context.items);
  for (const [at, call] of output.calls.entries()) {
    const brought = tools.find(({ tool }) => tool.name === call.name);
    items.push(callItem(call, brought, `${mark}${at}`));
  }
  return items;
}

function callItem({ id, name, input }: Output["calls"][number], brought: RequestTool | undefined, mark: string) {
  const { tool, namespace } = brought ?? {};
  const named = { call_id: `call_${id}`, name, ...(namespace !== undefined && { namespace }) };
  if (tool?.type === "custom")
    return { id: `ctc_${mark}`, type: "custom_tool_call", status: "completed", ...named, input: freeText(input) };
  return { id: `fc_${mark}`, type: "function_call", status: "completed", ...named, arguments: JSON.stringify(input) };
}

/** For a tool with free-text input, a script's single value is the whole input. */
function freeText(input: JsonObject): string {
  const [only, ...others] = Object.values(input);
  return typeof only === "string" && others.length === 0 ? only : JSON.stringify(input);
}

function reasoningItem(
  { text, tokens }: NonNullable<Output["thinking"]>,
  { body, mark, world }: ItemContext,
): JsonObject {
  const isShown = objectIn(body.reasoning).summary !== undefined && objectIn(body.reasoning).summary !== null;
  const isEncrypted = textsIn(body.include).includes("reasoning.encrypted_content");
  const sealed = `${ENCRYPTED_PREFIX}${world.seals.seal("reasoning", { tokens, mark })}`;
  return {
    id: `rs_${mark}`,
    type: "reasoning",
    summary: isShown ? [{ type: "summary_text", text }] : [],
    ...(isEncrypted && { encrypted_content: sealed }),
  };
}

function messageItem({ text, stop }: Output, mark: string): JsonObject {
  const part =
    stop === "refusal"
      ? { type: "refusal", refusal: text }
      : { type: "output_text", text, annotations: [], logprobs: [] };
  const isCut = stop === "length" || stop === "window";
  return {
    id: `msg_${mark}`,
    type: "message",
    status: isCut ? "incomplete" : "completed",
    role: "assistant",
    content: [part],
  };
}

/** The usage of a reply: cached tokens are part of the input's, reasoning is part of the output's. */
export function usageOf(bill: PromptBill, { tokens, thinking }: Pick<Output, "tokens" | "thinking">): JsonObject {
  return {
    input_tokens: bill.total,
    input_tokens_details: { cached_tokens: bill.read, cache_write_tokens: bill.written },
    output_tokens: tokens,
    output_tokens_details: { reasoning_tokens: thinking?.tokens ?? 0 },
    total_tokens: bill.total + tokens,
  };
}

/** Request fields that the response repeats, with their defaults. */
const ECHOED_FIELDS: JsonObject = {
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  model: null,
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  safety_identifier: null,
  store: true,
  temperature: 1,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  top_p: 1,
  truncation: "disabled",
  user: null,
  metadata: {},
};

export function responseOf({ id, created, body, output, status, usage, error }: FinishedResponse): JsonObject {
  const echoed = Object.entries(ECHOED_FIELDS).map(([name, fallback]) => [name, body[name] ?? fallback]);
  const { effort, summary } = objectIn(body.reasoning);
  return {
    id,
    object: "response",
    created_at: created,
    status,
    background: false,
    error,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    output,
    reasoning: { effort: effort ?? null, summary: summary ?? null },
    service_tier: "default",
    tools: objectsIn(body.tools),
    top_logprobs: 0,
    usage,
    ...Object.fromEntries(echoed),
  };
}

export function eventsOf(finished: FinishedResponse, deltaChars: number): readonly StreamEvent[] {
  const end = { type: `response.${finished.status}`, response: responseOf(finished) };
  return numbered([
    ...openingEvents(finished),
    ...finished.output.flatMap((item, index) => itemEvents(item, index, deltaChars)),
    end,
  ]);
}

/** A stream that fails after it began: an error, then the failed response. */
export function failureEvents(finished: FinishedResponse, rejection: Rejection): readonly StreamEvent[] {
  const error = openaiError(rejection);
  const failed = { ...finished, status: "failed", error: { code: error.code, message: error.message } } as const;
  return numbered([
    ...openingEvents(finished),
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

function openingEvents(finished: FinishedResponse): readonly JsonObject[] {
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
  const position = { item_id: item.id, output_index };
  const cut = (text: unknown) => piecesOf(textIn(text), deltaChars);
  return [
    { type: "response.output_item.added", output_index, item: startedItem(item) },
    ...innerEvents(item, position, cut),
    { type: "response.output_item.done", output_index, item },
  ];
}

/** An item when it is first sent: empty, with incomplete encrypted content. */
function startedItem(item: JsonObject): JsonObject {
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

function innerEvents(item: JsonObject, position: JsonObject, cut: Cut): readonly JsonObject[] {
  switch (item.type) {
    case "message":
      return objectsIn(item.content).flatMap((part, content_index) =>
        partEvents(part, { ...position, content_index }, cut),
      );
    case "function_call":
      return argumentEvents(item, position, cut);
    case "custom_tool_call":
      return inputEvents(item, position, cut);
    case "reasoning":
      return objectsIn(item.summary).flatMap((part, summary_index) =>
        summaryEvents(part, { ...position, summary_index }, cut),
      );
    case "compaction":
      return [{ type: "response.compaction.compacting", ...position }];
    default:
      return [];
  }
}

function partEvents(part: JsonObject, position: JsonObject, cut: Cut): readonly JsonObject[] {
  const isRefusal = part.type === "refusal";
  const name = isRefusal ? "response.refusal" : "response.output_text";
  const more = isRefusal ? {} : { logprobs: [] };
  const done = isRefusal ? { refusal: part.refusal } : { text: part.text, logprobs: [] };
  return [
    {
      type: "response.content_part.added",
      ...position,
      part: { ...part, ...(isRefusal ? { refusal: "" } : { text: "" }) },
    },
    ...cut(part.text ?? part.refusal).map((delta) => ({ type: `${name}.delta`, ...position, delta, ...more })),
    { type: `${name}.done`, ...position, ...done },
    { type: "response.content_part.done", ...position, part },
  ];
}

function argumentEvents(item: JsonObject, position: JsonObject, cut: Cut): readonly JsonObject[] {
  const name = "response.function_call_arguments";
  return [
    ...cut(item.arguments).map((delta) => ({ type: `${name}.delta`, ...position, delta })),
    { type: `${name}.done`, ...position, name: item.name, arguments: item.arguments },
  ];
}

function inputEvents(item: JsonObject, position: JsonObject, cut: Cut): readonly JsonObject[] {
  const name = "response.custom_tool_call_input";
  return [
    ...cut(item.input).map((delta) => ({ type: `${name}.delta`, ...position, delta })),
    { type: `${name}.done`, ...position, input: item.input },
  ];
}

function summaryEvents(part: JsonObject, position: JsonObject, cut: Cut): readonly JsonObject[] {
  const name = "response.reasoning_summary";
  const { text } = objectIn(part);
  return [
    { type: `${name}_part.added`, ...position, part: { type: "summary_text", text: "" } },
    ...cut(text).map((delta) => ({ type: `${name}_text.delta`, ...position, delta })),
    { type: `${name}_text.done`, ...position, text },
    { type: `${name}_part.done`, ...position, part },
  ];
}
