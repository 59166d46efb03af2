import { isJsonObject, type JsonObject, type JsonValue, type StreamEvent } from "@longhaul/conversation";
import { isShallow } from "./read.ts";

/** Whether arguments that came as text are none: some servers write nothing for them, others `null`. */
export function isBlankInput(text: string): boolean {
  const inked = text.trim();
  return inked === "" || inked === "null";
}

/** What a stream has to say of a call before its end if nothing was said of its arguments: clients parse them as JSON. */
export function noArguments(index: number, isSaid: boolean): readonly StreamEvent[] {
  return isSaid ? [] : [{ type: "tool-call-delta", index, json: "{}" }];
}

/** Reads arguments that came as text. Nothing means no arguments; what is not JSON, or bottomless, stays the text that the model wrote. */
export function parseInput(text: string): JsonValue {
  if (isBlankInput(text)) return {};
  try {
    const value: JsonValue = JSON.parse(text);
    return typeof value === "string" || !isShallow(value) ? text : value;
  } catch {
    return text;
  }
}

/** Writes arguments as text, for formats that want them so. */
export function spellInput(input: JsonValue): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}

/** The one argument of a tool that takes free text, where a format has only arguments with names. */
export const FREE_TEXT_FIELD = "input";

/** Arguments as an object, for formats that know nothing else. */
export function inputObject(input: JsonValue): JsonObject {
  return isJsonObject(input) ? input : { [FREE_TEXT_FIELD]: input };
}

/** Undoes `inputObject` for a tool that takes free text; anything else is written as the model wrote it. */
export function freeText(input: JsonValue): string {
  const inner = isJsonObject(input) ? input[FREE_TEXT_FIELD] : input;
  return typeof inner === "string" ? inner : spellInput(input);
}
