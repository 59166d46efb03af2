import type { StreamEvent } from "../core/api.ts";
import type { JsonObject } from "../core/json.ts";
import { piecesOf } from "../core/pieces.ts";
import { callIdOf, type FinishedChat, finishReason } from "./reply.ts";

/** How a stream is wanted. */
export interface StreamWish {
  readonly deltaChars: number;
  /** Whether usage comes in a last chunk without choices. */
  readonly includesUsage: boolean;
}

/** A reply as the chunks that Chat Completions streams. */
export function eventsOf(finished: FinishedChat, { deltaChars, includesUsage }: StreamWish): readonly StreamEvent[] {
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

/** The first delta names the call; the others, with its index alone, bring the arguments. */
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
