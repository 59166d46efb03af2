import type { StreamEvent } from "../core/api.ts";
import type { Output, Stop } from "../core/compose.ts";
import { isGiven, type JsonObject, omit, textIn } from "../core/json.ts";
import { piecesOf } from "../core/text.ts";
import type { World } from "../core/world.ts";
import { declarationsIn, type GeminiRequest, isThinking, signsCalls, thinkingIn } from "./request.ts";
import { signThought } from "./signatures.ts";

/** Everything that a reply says, streamed or not. */
export interface FinishedContent {
  readonly id: string;
  /** The model that answered. */
  readonly model: string;
  /** In the form of RFC 3339; only Vertex says it. */
  readonly createTime?: string;
  readonly parts: readonly JsonObject[];
  readonly finishReason: string;
  readonly usage: JsonObject;
  /** What a stream reports before its end. */
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

/** `finishReason` for why an answer ended. */
export function finishReason({ stop }: Output): string {
  return FINISH_REASONS[stop];
}

/** The parts of an answer: thoughts where they are wanted, text, calls. A refusal has none. */
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

/** Gemini 3 signs every answer, 2.5 only those of thinking with functions at hand. */
function isSigned(request: GeminiRequest): boolean {
  return signsCalls(request.model) || (isThinking(request) && declarationsIn(request).length > 0);
}

/** A whole reply. */
export function responseOf(finished: FinishedContent): JsonObject {
  const candidate = candidateOf(finished.parts, finished.finishReason);
  return chunkOf(finished, { candidate, usage: finished.usage });
}

/** One response, or one piece of a stream. */
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

/** A candidate. One that was blocked has no content, one that says nothing has no parts. */
export function candidateOf(parts: readonly JsonObject[], reason?: string): JsonObject {
  const end = reason === undefined ? {} : { finishReason: reason };
  if (reason === "SAFETY") return { ...end, index: 0, safetyRatings: [BLOCKED] };
  return { content: { ...(parts.length > 0 && { parts }), role: "model" }, ...end, index: 0 };
}

const BLOCKED = { category: "HARM_CATEGORY_DANGEROUS_CONTENT", probability: "HIGH", blocked: true };

/**
 * A reply as the responses that the API streams: text in pieces, calls whole, and a last one with the reason, the usage and an empty text,
 * which brings the signature where text was signed.
 */
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
