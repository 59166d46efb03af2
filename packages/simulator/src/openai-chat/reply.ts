import type { StreamEvent } from "../core/api.ts";
import type { Output, Stop } from "../core/compose.ts";
import type { JsonObject } from "../core/json.ts";
import { piecesOf } from "../core/text.ts";
import type { PromptBill } from "../openai/prompt-bill.ts";

export interface FinishedChat {
  readonly id: string;
  readonly model: string;
  /** In seconds. */
  readonly created: number;
  readonly output: Output;
  readonly usage: JsonObject;
}

const FINISH_REASONS: Readonly<Record<Stop, string>> = {
  end: "stop",
  calls: "tool_calls",
  length: "length",
  window: "length",
  sequence: "stop",
  refusal: "stop",
};

export function finishReason({ stop }: Output): string {
  return FINISH_REASONS[stop];
}

/** The usage of a reply: cached tokens are part of the prompt's, reasoning is part of the completion's. */
export function usageOf(bill: PromptBill, { tokens, thinking }: Output): JsonObject {
  return {
    prompt_tokens: bill.total,
    completion_tokens: tokens,
    total_tokens: bill.total + tokens,
    prompt_tokens_details: {
      cached_tokens: bill.read,
      audio_tokens: 0,
      ...(bill.written > 0 && { cache_write_tokens: bill.written }),
    },
    completion_tokens_details: {
      reasoning_tokens: thinking?.tokens ?? 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

export function callIdOf({ id }: Output["calls"][number]): string {
  return `call_${id}`;
}

function toolCall(call: Output["calls"][number]): JsonObject {
  const { name, input } = call;
  return { id: callIdOf(call), type: "function", function: { name, arguments: JSON.stringify(input) } };
}

export function completionOf(finished: FinishedChat): JsonObject {
  const { output } = finished;
  const isRefusal = output.stop === "refusal";
  return {
    id: finished.id,
    object: "chat.completion",
    created: finished.created,
    model: finished.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: isRefusal || (output.text === "" && output.calls.length > 0) ? null : output.text,
          refusal: isRefusal ? output.text : null,
          annotations: [],
          ...(output.calls.length > 0 && { tool_calls: output.calls.map(toolCall) }),
        },
        logprobs: null,
        finish_reason: finishReason(output),
      },
    ],
    usage: finished.usage,
    service_tier: "default",
    system_fingerprint: "fp_simulator",
  };
}

/** `includesUsage` adds usage in a last chunk without choices. */
export function eventsOf(
  finished: FinishedChat,
  { deltaChars, includesUsage }: { deltaChars: number; includesUsage: boolean },
): readonly StreamEvent[] {
  const { output } = finished;
  const usage = includesUsage ? { usage: null } : {};
  const chunk = (delta: JsonObject, finish: string | null = null) =>
    event({
      ...headOf(finished),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...usage,
    });
  const isRefusal = output.stop === "refusal";
  return [
    chunk({ role: "assistant", content: isRefusal || output.text === "" ? null : "", refusal: null }),
    ...piecesOf(output.text, deltaChars).map((text) => chunk(isRefusal ? { refusal: text } : { content: text })),
    ...output.calls.flatMap((call, index) => callDeltas(call, index, deltaChars).map((delta) => chunk(delta))),
    chunk({}, finishReason(output)),
    ...(includesUsage ? [event({ ...headOf(finished), choices: [], usage: finished.usage })] : []),
    { data: "[DONE]" },
  ];
}

function event(data: JsonObject): StreamEvent {
  return { data: JSON.stringify(data) };
}

function headOf({ id, created, model }: FinishedChat): JsonObject {
  return {
    id,
    object: "chat.completion.chunk",
    created,
    model,
    service_tier: "default",
    system_fingerprint: "fp_simulator",
  };
}

/** The first delta has the id and name; the others have the index and arguments. */
function callDeltas(
  call: FinishedChat["output"]["calls"][number],
  index: number,
  deltaChars: number,
): readonly JsonObject[] {
  const { name, input } = call;
  const first = { index, id: callIdOf(call), type: "function", function: { name, arguments: "" } };
  const rest = piecesOf(JSON.stringify(input), deltaChars).map((text) => ({ index, function: { arguments: text } }));
  return [first, ...rest].map((piece) => ({ tool_calls: [piece] }));
}
