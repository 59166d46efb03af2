import type { StreamEvent } from "../core/api.ts";
import type { Output, Stop } from "../core/compose.ts";
import { isGiven, type JsonObject, omit, textIn } from "../core/json.ts";
import { piecesOf } from "../core/text.ts";
import type { World } from "../core/world.ts";
import { declarationsIn, type GeminiRequest, isThinking, signsCalls, thinkingIn } from "./request.ts";
import { signThought } from "./signatures.ts";

export interface FinishedContent {
  readonly id: string;
  readonly model: string;
  /** RFC 3339; only Vertex sends it. */
  readonly createTime?: string;
  readonly parts: readonly JsonObject[];
  readonly finishReason: string;
  readonly usage: JsonObject;
  readonly usageAtStart: JsonObject;
}

const FINISH_REASONS: Readonly<Record<Stop, string>> = {
  end: "STOP",
  calls: "STOP",
  length: "MAX_TOKENS",
  window: "MAX_TOKENS",
  sequence: "STOP",
  refusal: "SAFETY",
};

export function finishReason({ stop }: Output): string {
  return FINISH_REASONS[stop];
}

/** Returns the parts of an answer: thoughts if requested, text, calls. A refusal has none. */
export function partsOf(
  output: Output,
  request: GeminiRequest,
  { world, seed }: { world: World; seed: string },
): readonly JsonObject[] {
  if (output.stop === "refusal") return [];
  const { thinking } = output;
  const isShown = thinkingIn(request).includeThoughts === true && thinking?.isRedacted === false;
  const thoughts = isShown && thinking.text !== "" ? [{ text: thinking.text, thought: true }] : [];
  const text = output.text === "" ? [] : [{ text: output.text }];
  const calls = output.calls.map(({ id, name, input }) => ({
    functionCall: { ...(signsCalls(request.model) && { id: `call_${id}` }), name, args: input },
  }));
  const [signed, ...unsigned] = calls.length > 0 ? calls : text;
  if (signed === undefined || !isSigned(request)) return [...thoughts, ...text, ...calls];
  const first = { ...signed, thoughtSignature: signThought(world, { model: request.model, part: signed, seed }) };
  return calls.length > 0 ? [...thoughts, ...text, first, ...unsigned] : [...thoughts, first];
}

/** Gemini 3 signs every answer; Gemini 2.5 only thinking answers with functions available. */
function isSigned(request: GeminiRequest): boolean {
  return signsCalls(request.model) || (isThinking(request) && declarationsIn(request).length > 0);
}

export function responseOf(finished: FinishedContent): JsonObject {
  const candidate = candidateOf(finished.parts, finished.finishReason);
  return chunkOf(finished, { candidate, usage: finished.usage });
}

function chunkOf(
  { id, model, createTime }: FinishedContent,
  { candidate, usage }: { candidate: JsonObject; usage: JsonObject },
): JsonObject {
  return {
    candidates: [candidate],
    usageMetadata: usage,
    modelVersion: model,
    ...(createTime !== undefined && { createTime }),
    responseId: id,
  };
}

/** A blocked candidate has no content; an empty one has no parts. */
export function candidateOf(parts: readonly JsonObject[], reason?: string): JsonObject {
  const end = reason === undefined ? {} : { finishReason: reason };
  if (reason === "SAFETY") return { ...end, index: 0, safetyRatings: [BLOCKED] };
  return { content: { ...(parts.length > 0 && { parts }), role: "model" }, ...end, index: 0 };
}

const BLOCKED = { category: "HARM_CATEGORY_DANGEROUS_CONTENT", probability: "HIGH", blocked: true };

/** Returns stream events: text in deltas, calls complete, and a last one with finish reason, usage and an empty, maybe signed text. */
export function eventsOf(finished: FinishedContent, deltaChars: number): readonly StreamEvent[] {
  const { parts, finishReason, usage, usageAtStart } = finished;
  const pieces = parts.flatMap((part) => cut(part, deltaChars));
  const last = parts.length === 0 ? [] : [{ text: "", ...signatureOfText(parts) }];
  return [
    ...pieces.map((part) => event(chunkOf(finished, { candidate: candidateOf([part]), usage: usageAtStart }))),
    event(chunkOf(finished, { candidate: candidateOf(last, finishReason), usage })),
  ];
}

function event(data: JsonObject): StreamEvent {
  return { data: JSON.stringify(data) };
}

function cut(part: JsonObject, deltaChars: number): readonly JsonObject[] {
  if (!isGiven(part.text)) return [part];
  const rest = omit(part, "text", "thoughtSignature");
  return piecesOf(textIn(part.text), deltaChars).map((text) => ({ text, ...rest }));
}

function signatureOfText(parts: readonly JsonObject[]): JsonObject {
  const signed = parts.find(({ text, thoughtSignature }) => isGiven(text) && isGiven(thoughtSignature));
  return signed === undefined ? {} : { thoughtSignature: signed.thoughtSignature };
}
