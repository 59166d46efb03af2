import type { Model } from "@longhaul/models/catalog";
import { isGiven, type JsonObject, objectIn, objectsIn, textIn } from "../core/json.ts";

/** A request to Chat Completions. */
export interface ChatRequest {
  readonly body: JsonObject;
  readonly model: Model;
  readonly credential: string;
}

/** The text parts of a message's content, however the client spelled it. */
export function partsIn(content: unknown): readonly JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return objectsIn(content);
}

/** The texts of a message. */
export function textsIn(content: unknown): readonly string[] {
  return partsIn(content).flatMap(({ type, text, refusal }) =>
    type === "text" || isGiven(refusal) ? [textIn(text ?? refusal)] : [],
  );
}

/** The tool calls of an assistant message. */
export function callsIn({ tool_calls }: JsonObject): readonly JsonObject[] {
  return objectsIn(tool_calls);
}

/** Name and arguments of a call: of a function, or the input of a custom tool. */
export function spellCall(call: JsonObject): string {
  const { name, arguments: given, input } = { ...objectIn(call.custom), ...objectIn(call.function) };
  return `${textIn(name)}${textIn(given)}${textIn(input)}`;
}
