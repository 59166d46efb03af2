import { isGiven, type JsonObject, objectIn } from "../core/json.ts";
import type { Output, Stop } from "../core/limit.ts";
import type { World } from "../core/world.ts";
import { type Anchor, signThinking } from "./binding.ts";
import type { MessagesRequest } from "./request.ts";

/** Everything that a reply says, streamed or not. */
export interface FinishedMessage {
  readonly id: string;
  readonly model: string;
  readonly content: readonly JsonObject[];
  readonly stopReason: string;
  readonly stopSequence: string | null;
  readonly usage: JsonObject;
  /** What the first event of a stream reports, where it differs: the prompt before it was compacted. */
  readonly usageAtStart: JsonObject;
  /** Fields that only some requests get: `context_management`, `input_transformations`. */
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

/** `stop_reason` for why an answer ended. */
export function stopReason(stop: Stop): string {
  return STOP_REASONS[stop];
}

/** The blocks of an answer: thinking, text, tool calls. A refusal has none. */
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

/** Models that only think adaptively leave their thinking out unless it is asked for. */
function isOmitted({ body, model }: MessagesRequest): boolean {
  const { display } = objectIn(body.thinking);
  return isGiven(display) ? display === "omitted" : !model.reasoning.thinkingTypes.includes("enabled");
}

/** A whole reply. */
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

/** More about a refusal; null for any other end. */
export function stopDetails({ stopReason: reason }: FinishedMessage): JsonObject | null {
  return reason === "refusal" ? { type: "refusal", category: null, explanation: null } : null;
}
