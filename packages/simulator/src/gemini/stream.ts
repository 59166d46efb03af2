import type { StreamEvent } from "../core/api.ts";
import { isGiven, type JsonObject, omit, textIn } from "../core/json.ts";
import { piecesOf } from "../core/pieces.ts";
import { candidateOf, chunkOf, type FinishedContent } from "./reply.ts";

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
