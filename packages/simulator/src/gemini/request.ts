import type { Model } from "@longhaul/models/catalog";
import { type JsonObject, numberIn, objectIn, objectsIn, textIn } from "../core/json.ts";

export interface GeminiRequest {
  readonly api: "gemini" | "vertex-gemini";
  /** In camel case, with known fields only. */
  readonly body: JsonObject;
  readonly model: Model;
  readonly credential: string;
  /** In one piece, as SSE, or as the elements of one array. */
  readonly delivery: "whole" | "sse" | "list";
}

export function configIn({ body }: Pick<GeminiRequest, "body">): JsonObject {
  return objectIn(body.generationConfig);
}

export function thinkingIn(request: Pick<GeminiRequest, "body">): JsonObject {
  return objectIn(configIn(request).thinkingConfig);
}

export function declarationsIn({ body }: Pick<GeminiRequest, "body">): readonly JsonObject[] {
  return objectsIn(body.tools).flatMap(({ functionDeclarations }) => objectsIn(functionDeclarations));
}

export function builtInTools({ body }: Pick<GeminiRequest, "body">): readonly string[] {
  return objectsIn(body.tools).flatMap((tool) => Object.keys(tool).filter((name) => name !== "functionDeclarations"));
}

/** Whether the model thinks, as requested or by default. The lowest level turns thinking off. */
export function isThinking(request: Pick<GeminiRequest, "body" | "model">): boolean {
  const { kind, onByDefault } = request.model.reasoning;
  const { thinkingBudget, thinkingLevel } = thinkingIn(request);
  if (kind === "none") return false;
  if (textIn(thinkingLevel) !== "") return thinkingLevel !== "MINIMAL";
  const budget = numberIn(thinkingBudget);
  return budget === undefined ? onByDefault : budget !== 0;
}

/** Since Gemini 3 calls have ids, and must be sent back with their thought signature. */
export function signsCalls({ reasoning, name }: Model): boolean {
  return reasoning.kind === "level" && !name.startsWith("gemini-2");
}

export interface LocatedPart {
  readonly content: number;
  readonly index: number;
  readonly role: string;
  readonly part: JsonObject;
}

export function contentsIn({ contents }: JsonObject): readonly JsonObject[] {
  return objectsIn(contents);
}

export function partsIn({ parts }: JsonObject): readonly JsonObject[] {
  return objectsIn(parts);
}

export function locatedParts(body: JsonObject): readonly LocatedPart[] {
  return contentsIn(body).flatMap((content, at) =>
    partsIn(content).map((part, index) => ({ content: at, index, role: textIn(content.role), part })),
  );
}

export function pathOf({ content, index }: Pick<LocatedPart, "content" | "index">): string {
  return `GenerateContentRequest.contents[${content}].parts[${index}]`;
}

export function callsIn(content: JsonObject): readonly JsonObject[] {
  return partsIn(content).flatMap(({ functionCall }) => (functionCall === undefined ? [] : [objectIn(functionCall)]));
}

export function responsesIn(content: JsonObject): readonly JsonObject[] {
  return partsIn(content).flatMap(({ functionResponse }) =>
    functionResponse === undefined ? [] : [objectIn(functionResponse)],
  );
}

/** Whether a content starts a turn: it is the user's and not only function results. */
export function beginsTurn(content: JsonObject): boolean {
  return content.role !== "model" && responsesIn(content).length === 0;
}
