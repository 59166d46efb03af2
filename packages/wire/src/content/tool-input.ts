import { isJsonObject, type JsonObject, type JsonValue, parseJsonText, type StreamEvent } from "@longhaul/conversation";
import { JSON_LIMITS } from "../bytes/scan-json.ts";
import { isShallow } from "../fields/json.ts";

/** Whether the text of a call's arguments is blank. Some servers write nothing for no arguments, others `null`. */
export function isBlankInput(text: string): boolean {
  const trimmed = text.trim();
  return trimmed === "" || trimmed === "null";
}

/** Returns the event that gives a call without arguments an empty object, because clients parse the arguments as JSON. */
export function noArguments(index: number, isSaid: boolean): readonly StreamEvent[] {
  return isSaid ? [] : [{ type: "tool-call-delta", index, json: "{}" }];
}

/** Reads arguments that came as text. Nothing means no arguments; what is not JSON, or bottomless, stays the text that the model wrote. */
export function parseInput(text: string): JsonValue {
  if (isBlankInput(text)) return {};
  if (!isWithinLimits(text)) return text;
  try {
    const value: JsonValue = parseJsonText(text);
    return typeof value === "string" || !isShallow(value) ? text : value;
  } catch {
    return text;
  }
}

/** Arguments longer than this are checked before they are parsed: shorter ones cannot exceed the limit on values. */
const LONG_ARGUMENTS = 100_000;

/** Whether a text has no more brackets and commas than a body may have values. Parsing more takes too much time and memory. */
function isWithinLimits(text: string): boolean {
  if (text.length < LONG_ARGUMENTS) return true;
  let values = 0;
  for (const mark of ["[", "{", ","]) {
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) values++;
    if (values > JSON_LIMITS.values) return false;
  }
  return true;
}

/** Writes arguments as text, for formats that want them so. */
export function stringifyInput(input: JsonValue): string {
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
  return typeof inner === "string" ? inner : stringifyInput(input);
}
