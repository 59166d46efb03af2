import type { Model } from "@longhaul/models/catalog";
import { type JsonObject, numberIn, objectIn, objectsIn, textIn } from "../core/json.ts";

/** A request to the Gemini API, wherever it runs. */
export interface GeminiRequest {
  readonly api: "gemini" | "vertex-gemini";
  /** Spelled in camel case, with known fields only. */
  readonly body: JsonObject;
  readonly model: Model;
  /** Whose prompt cache it is. */
  readonly credential: string;
  /** In one piece, as events, or as the elements of one list. */
  readonly delivery: "whole" | "sse" | "list";
}

/** `generationConfig`, empty where it isn't given. */
export function configIn({ body }: Pick<GeminiRequest, "body">): JsonObject {
  return objectIn(body.generationConfig);
}

/** `thinkingConfig`, empty where it isn't given. */
export function thinkingIn(request: Pick<GeminiRequest, "body">): JsonObject {
  return objectIn(configIn(request).thinkingConfig);
}

/** The functions that may be called. */
export function declarationsIn({ body }: Pick<GeminiRequest, "body">): readonly JsonObject[] {
  return objectsIn(body.tools).flatMap(({ functionDeclarations }) => objectsIn(functionDeclarations));
}

/** The tools that Google runs by itself, by their names. */
export function builtInTools({ body }: Pick<GeminiRequest, "body">): readonly string[] {
  return objectsIn(body.tools).flatMap((tool) => Object.keys(tool).filter((name) => name !== "functionDeclarations"));
}

/** Whether the model thinks: as told, else as it does by itself. The lowest level leaves thinking out. */
export function isThinking(request: Pick<GeminiRequest, "body" | "model">): boolean {
  const { kind, onByDefault } = request.model.reasoning;
  const { thinkingBudget, thinkingLevel } = thinkingIn(request);
  if (kind === "none") return false;
  if (textIn(thinkingLevel) !== "") return thinkingLevel !== "MINIMAL";
  const budget = numberIn(thinkingBudget);
  return budget === undefined ? onByDefault : budget !== 0;
}

/** Since Gemini 3 calls have ids, and come back with the signature of the thought that led to them or not at all. */
export function signsCalls({ reasoning, name }: Model): boolean {
  return reasoning.kind === "level" && !name.startsWith("gemini-2");
}

/** A part of a content and where it stands. */
export interface LocatedPart {
  readonly content: number;
  readonly index: number;
  readonly role: string;
  readonly part: JsonObject;
}

/** The contents of a request. */
export function contentsIn({ contents }: JsonObject): readonly JsonObject[] {
  return objectsIn(contents);
}

/** The parts of a content. */
export function partsIn({ parts }: JsonObject): readonly JsonObject[] {
  return objectsIn(parts);
}

/** All parts in order, each with its place. */
export function locatedParts(body: JsonObject): readonly LocatedPart[] {
  return contentsIn(body).flatMap((content, at) =>
    partsIn(content).map((part, index) => ({ content: at, index, role: textIn(content.role), part })),
  );
}

/** A place as error messages write it. */
export function pathOf({ content, index }: Pick<LocatedPart, "content" | "index">): string {
  return `GenerateContentRequest.contents[${content}].parts[${index}]`;
}

/** The calls of a content. */
export function callsIn(content: JsonObject): readonly JsonObject[] {
  return partsIn(content).flatMap(({ functionCall }) => (functionCall === undefined ? [] : [objectIn(functionCall)]));
}

/** The results of calls in a content. */
export function responsesIn(content: JsonObject): readonly JsonObject[] {
  return partsIn(content).flatMap(({ functionResponse }) =>
    functionResponse === undefined ? [] : [objectIn(functionResponse)],
  );
}

/** Whether a content holds words of the user, not only results of calls: a turn of the conversation begins with it. */
export function beginsTurn(content: JsonObject): boolean {
  return content.role !== "model" && responsesIn(content).length === 0;
}
